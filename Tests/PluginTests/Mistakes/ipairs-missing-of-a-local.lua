-- expect: ipairs-missing-of-a-local.lua:9: pluginError: rows is a table: to iterate over a list, write for _, row in ipairs(rows) do
-- expect: ipairs-missing-of-a-local.lua:9: in function 'fetch'
local html = require "html"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<table><tr><th>x</th></tr></table>")
    local rows = page:css("tr")
    for _, row in rows do ctx:emit { title = row:text() } end
  end,
}
