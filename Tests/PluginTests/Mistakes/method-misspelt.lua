local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<p>text</p>")
    local nodes = { page }
    ctx:emit { title = nodes[1]:txet() }
  end,
}
