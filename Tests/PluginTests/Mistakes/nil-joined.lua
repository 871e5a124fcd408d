local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local ship = { name = "Aurora" }
    ctx:emit { title = "MV " .. ship.nmae }
  end,
}
