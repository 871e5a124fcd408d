-- expect: nil-calculated.lua:9: pluginError: ship.prize is nil and cannot be used in arithmetic: ship has no field 'prize' (did you mean 'price'? it has price)
-- expect: nil-calculated.lua:9: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local ship = { price = 3 }
    ctx:emit { title = "x", price = ship.prize * 2 }
  end,
}
