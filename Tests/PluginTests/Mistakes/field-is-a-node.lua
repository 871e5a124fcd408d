-- expect: field-is-a-node.lua:8: invalidItem: item 1 has a node of a document as its 'price'; did you mean the text of the node, node:text()?
local html = require "html"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<table><tr><th>x</th></tr></table>")
    local row = page:css_first("tr")
    return { { id = 1, price = row } }
  end,
}
