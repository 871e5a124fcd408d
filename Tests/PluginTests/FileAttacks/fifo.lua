-- expect: newData
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    local outside = ctx.options.outside
    -- Neither may wait for a process at the other end.
    for _, name in ipairs { "read", "sha256" } do
      local answer, problem = files[name]("fifo")
      assert(answer == nil and problem == "fifo is not a regular file", problem)
    end
    assert(not files.write("fifo", "x"))
    assert(not files.move("file", "fifo"))
    assert(files.stat("fifo").kind == "other")
    assert(files.remove("fifo"))
    ctx:emit { id = "done" }
  end,
}
