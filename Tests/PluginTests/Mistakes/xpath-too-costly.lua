-- expect: xpath-too-costly.lua:8: pluginError: XPath: evaluating 'count(//b[count(//c[count(//b) > 1]) > 1])' takes more than 5000000 operations; split it into several simpler expressions
-- expect: xpath-too-costly.lua:8: in function 'fetch'
local xml = require "xml"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = xml.parse("<a>" .. ("<b><c/></b>"):rep(3000) .. "</a>")
    return { { title = tostring(page:find("count(//b[count(//c[count(//b) > 1]) > 1])")) } }
  end,
}
