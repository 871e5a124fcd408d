-- expect: list-is-empty-twice.lua:10: pluginError: cells[1] is nil: cells is an empty list
-- expect: list-is-empty-twice.lua:10: in function 'fetch'
local html = require "html"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<table><tr><th>x</th></tr></table>")
    for _, row in ipairs(page:css("tr")) do
      local cells = row:css("td")
      ctx:emit { title = cells[1]:text(), price = cells[2]:text() }
    end
  end,
}
