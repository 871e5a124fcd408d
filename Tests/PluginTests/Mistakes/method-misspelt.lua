-- expect: method-misspelt.lua:10: pluginError: nodes[1] has no method 'txet' (did you mean 'text'? it has attr, attrs, children, css, css_first, document, find, html, name, namespace, number, parent …)
-- expect: method-misspelt.lua:10: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<p>text</p>")
    local nodes = { page }
    ctx:emit { title = nodes[1]:txet() }
  end,
}
