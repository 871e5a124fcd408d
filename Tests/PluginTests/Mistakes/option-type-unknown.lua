-- expect: option-type-unknown.lua:6: options.pages.type: unknown type 'int'; use string, url, integer, number, boolean, list, table
-- expect: option-type-unknown.lua:6: options.pages: a default, choice or example must be a string, not an integer
return {
  api = 1, name = "probe", version = "1.0.0",
  options = {
    pages = { type = "int", default = 3 },
  },
  fetch = function(ctx) end,
}
