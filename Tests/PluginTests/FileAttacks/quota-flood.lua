-- expect: newData
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    local outside = ctx.options.outside
    -- Exceeds the quota in bytes, in many files, in many folders and in one growing file.
    assert(not files.write("large", ("x"):rep(1001)))
    local count = 0
    while files.write("f" .. count, "") do count = count + 1 end
    assert(count == 16, count)
    for i = 0, count - 1 do files.remove("f" .. i) end
    local depth = 0
    while files.write(("d/"):rep(depth) .. "f", "") do
      files.remove(("d/"):rep(depth) .. "f")
      depth = depth + 1
    end
    assert(depth == 16, depth)
    while depth > 1 do
      depth = depth - 1
      assert(files.remove(("d/"):rep(depth):sub(1, -2)), depth)
    end
    local size = 900
    while files.write("growing", ("x"):rep(size + 1)) do size = size + 1 end
    assert(size == 994, size)
    ctx:emit { id = "done" }
  end,
}
