-- expect: module-function-misspelt.lua:8: pluginError: text has no 'strip'; it has collapse, diff, ends_with, escape, fit, lines, split, starts_with, strip_tags, trim, truncate, unescape
-- expect: module-function-misspelt.lua:8: in function 'fetch'
local text = require "text"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { { id = 1, title = text.strip("  a  ") } }
  end,
}
