-- expect: nil-joined.lua:9: pluginError: ship.nmae is nil and cannot be joined to a string: ship has no field 'nmae' (did you mean 'name'? it has name)
-- expect: nil-joined.lua:9: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local ship = { name = "Aurora" }
    ctx:emit { title = "MV " .. ship.nmae }
  end,
}
