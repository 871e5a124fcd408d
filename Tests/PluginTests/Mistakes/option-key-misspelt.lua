-- expect: option-key-misspelt.lua:5: options.url.requird: unknown key (did you mean 'required'?)
return {
  api = 1, name = "probe", version = "1.0.0",
  options = {
    url = { type = "url", requird = true },
  },
  fetch = function(ctx) end,
}
