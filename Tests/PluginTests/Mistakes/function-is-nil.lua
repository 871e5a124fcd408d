-- expect: function-is-nil.lua:9: pluginError: filters.long is nil, but only a function can be called: filters has no field 'long' (it has short)
-- expect: function-is-nil.lua:9: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local filters = { short = tostring }
    ctx:emit { title = filters.long("x") }
  end,
}
