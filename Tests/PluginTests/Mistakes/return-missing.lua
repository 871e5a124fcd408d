-- expect: return-missing.lua: the file returns nothing; it must return a table: end a plugin file with return { name = ..., fetch = ... }, and a hook file with return { on_item = ... }
local plugin = {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx) end,
}
