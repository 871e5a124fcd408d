-- expect: fetch-with-a-colon.lua:4: <name> expected near 'function'; write = instead of the colon: fetch = function(…)
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch: function(ctx) return { { id = "a" } } end,
}
