-- expect: html-of-nil.lua:7: pluginError: bad argument #1 to 'html.parse' (string or response expected)
-- expect: html-of-nil.lua:7: in function 'fetch'
local html = require "html"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    ctx:emit { title = html.parse(ctx.options.page):text() }
  end,
}
