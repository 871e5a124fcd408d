-- expect: pairs-of-nil.lua:9: pluginError: pairs got nil instead of a table: headers is nil
-- expect: pairs-of-nil.lua:9: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local headers
    for name in pairs(headers) do ctx:emit { id = name } end
  end,
}
