-- expect: newData
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    local outside = ctx.options.outside
    local long = ("n"):rep(256)
    local deep = ("n/"):rep(2048) .. "n"
    for _, path in ipairs { long, "a/" .. long, deep, ("n"):rep(1 << 20) } do
      local answer, problem = files.write(path, "x")
      assert(answer == nil and problem:find("longer than", 1, true), problem)
      assert(not files.read(path))
    end
    ctx:emit { id = "done" }
  end,
}
