-- expect: option-default-of-another-type.lua:5: options.pages: a default, choice or example must be an integer, not a string
return {
  api = 1, name = "probe", version = "1.0.0",
  options = {
    pages = { type = "integer", default = "3" },
  },
  fetch = function(ctx) end,
}
