-- expect: list-is-empty-of-two-calls.lua:9: pluginError: row:css("td")[1] or row:css("td")[2] is nil
-- expect: list-is-empty-of-two-calls.lua:9: in function 'fetch'
local html = require "html"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<table><tr><th>x</th></tr></table>")
    for _, row in ipairs(page:css("tr")) do
      ctx:emit { title = row:css("td")[1]:text(), price = row:css("td")[2]:text() }
    end
  end,
}
