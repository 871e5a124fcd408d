-- expect: ipairs-missing.lua:8: pluginError: page:css("tr") is a table: to iterate over a list, write for _, row in ipairs(page:css("tr")) do
-- expect: ipairs-missing.lua:8: in function 'fetch'
local html = require "html"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<table><tr><th>x</th></tr></table>")
    for row in page:css("tr") do ctx:emit { title = row:text() } end
  end,
}
