-- expect: return-missing.lua: the file returns nothing; a plugin must return a table: return { name = ..., fetch = function(ctx) ... end }
local plugin = {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx) end,
}
