-- expect: ipairs-of-a-text.lua:9: pluginError: ipairs got a string instead of a list: names is a string
-- expect: ipairs-of-a-text.lua:9: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local names = "a, b"
    for _, name in ipairs(names) do ctx:emit { id = name } end
  end,
}
