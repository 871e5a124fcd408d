-- expect: library-argument-missing.lua:8: pluginError: bad argument #1 to 'json.decode' (string expected, got nil)
-- expect: library-argument-missing.lua:8: in function 'fetch'
local json = require "json"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return json.decode(ctx.state.saved)
  end,
}
