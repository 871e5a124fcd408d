-- expect: and-of-c.lua:8: unexpected symbol near '&'; write `and` instead of &&
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local a = 1
    if a and true && a then ctx:emit { id = a } end
  end,
}
