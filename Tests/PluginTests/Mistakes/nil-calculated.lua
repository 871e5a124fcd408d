local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local ship = { price = 3 }
    ctx:emit { title = "x", price = ship.prize * 2 }
  end,
}
