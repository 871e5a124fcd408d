-- expect: list-is-empty.lua:10: pluginError: cells[1] is nil: cells is an empty list
-- expect: list-is-empty.lua:10: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local row = html.parse("<table><tr><th>Name</th></tr></table>")
    local cells = row:css("td")
    ctx:emit { title = cells[1]:text() }
  end,
}
