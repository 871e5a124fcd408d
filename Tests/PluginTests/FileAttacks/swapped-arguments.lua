-- expect: pluginError: files.write needs a path, got a table; did you use a colon instead of a dot?
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    local outside = ctx.options.outside
    files:write("file", "x")
  end,
}
