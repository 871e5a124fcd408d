-- expect: call-returned-nil.lua:9: pluginError: page:css_first("h1") returned nil
-- expect: call-returned-nil.lua:9: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<p>text</p>")
    ctx:emit { title = page:css_first("h1"):text() }
  end,
}
