-- expect: comma-missing.lua:4: a comma or '}' is missing at the end of this line
return {
  api = 1, name = "probe", version = "1.0.0",
  description = "entries"
  options = {},
  fetch = function(ctx) return { { id = "a" } } end,
}
