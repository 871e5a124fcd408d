-- expect: selector-is-nil.lua:8: pluginError: css got nil instead of a string: ctx.options has no field 'selct' (it is empty)
-- expect: selector-is-nil.lua:8: in function 'fetch'
local html = require "html"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<table><tr><th>x</th></tr></table>")
    local rows = page:css(ctx.options.selct)
    ctx:emit { title = rows[1]:text() }
  end,
}
