-- expect: quotes-of-a-word-processor.lua:7: “ is not a quotation mark in Lua: write "
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    ctx:emit { id = “a” }
  end,
}
