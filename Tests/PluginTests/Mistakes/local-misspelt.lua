-- expect: local-misspelt.lua:9: pluginError: undefined global 'answr': did you mean 'answer'?
-- expect: local-misspelt.lua:9: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local answer = { "a" }
    for _, name in ipairs(answr) do ctx:emit { id = name } end
  end,
}
