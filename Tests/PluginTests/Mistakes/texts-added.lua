-- expect: texts-added.lua:9: pluginError: attempt to add a 'string' with a 'string'; join strings with ..
-- expect: texts-added.lua:9: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local first, last = "Ada ", "Lovelace"
    ctx:emit { title = first + last }
  end,
}
