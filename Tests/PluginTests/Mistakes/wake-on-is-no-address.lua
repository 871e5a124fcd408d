-- expect: wake-on-is-no-address.lua:4: wake_on: 'url' is not an address; write https://… or {options.NAME}
return {
  api = 1, name = "probe", version = "1.0.0", options = { url = { type = "url" } },
  wake_on = "url",
  fetch = function(ctx) end,
}
