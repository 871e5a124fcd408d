-- expect: module-called.lua:7: pluginError: text is a table, the result of require "text": call one of its functions
-- expect: module-called.lua:7: in function 'fetch'
local text = require "text"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    ctx:emit { title = text("x") }
  end,
}
