-- expect: hostCallLimit: the run made more than 1000 host calls (limit hostCalls); make the Lua code do less or raise the limit
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    while true do pcall(files.stat, "file") end
  end,
}
