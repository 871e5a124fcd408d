-- expect: wake-on-names-no-option.lua:4: wake_on: {options.ulr} is not an option of this file (did you mean 'url'?)
return {
  api = 1, name = "probe", version = "1.0.0", options = { url = { type = "url" } },
  wake_on = "{options.ulr}",
  fetch = function(ctx) end,
}
