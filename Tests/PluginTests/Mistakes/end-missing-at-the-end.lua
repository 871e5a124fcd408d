-- expect: end-missing-at-the-end.lua:11: unexpected symbol near ','; by the indentation, the 'if' at line 8 has no 'end'
local html = require "html"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<table><tr><th>x</th></tr></table>")
    for _, row in ipairs(page:css("tr")) do
      if row:css_first("td") then
        ctx:emit { title = row:text() }
    end
  end,
}
