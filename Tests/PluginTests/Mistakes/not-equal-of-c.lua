-- expect: not-equal-of-c.lua:8: 'then' expected near '!'; "not equal" is ~=
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local a = 1
    if a != 2 then ctx:emit { id = a } end
  end,
}
