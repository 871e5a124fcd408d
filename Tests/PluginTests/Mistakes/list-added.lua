-- expect: list-added.lua:8: syntax error near '+'; Lua has no +=; write items[#items + 1] = …
local html = require "html"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = html.parse("<table><tr><th>x</th></tr></table>")
    local items = {}
    items += { title = "x" }
    return items
  end,
}
