-- expect: key-with-a-colon.lua:3: <name> expected near '1'; write = instead of the colon: api = …
return {
  api: 1, name = "probe", version = "1.0.0",
  fetch = function(ctx) return { { id = "a" } } end,
}
