-- expect: list-is-empty-of-a-call.lua:9: pluginError: row:css("td")[1] is nil: row:css("td") is an empty list
-- expect: list-is-empty-of-a-call.lua:9: in function 'fetch'
local html = require "html"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<table><tr><th>x</th></tr></table>")
    for _, row in ipairs(page:css("tr")) do
      ctx:emit { title = row:css("td")[1]:text() }
    end
  end,
}
