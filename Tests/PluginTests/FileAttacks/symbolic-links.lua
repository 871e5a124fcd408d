-- expect: newData
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    local outside = ctx.options.outside
    for i, path in ipairs { "link", "out/secret.txt", "out/new", "out", "out/.", "link/x" } do
      for _, name in ipairs { "read", "sha256", "list", "digest" } do
        local answer, problem = files[name](path)
        ctx:emit { id = i .. name, answer = tostring(answer), problem = tostring(problem) }
        assert(not answer, path)
      end
      assert(not files.write(path, "overwritten"), path)
      assert(not files.move("file", path), path)
    end
    -- The link itself may be moved and removed: its target stays.
    assert(files.move("out", "moved"))
    assert(not files.read("moved/secret.txt"))
    assert(files.remove("moved"))
    assert(files.remove("link"))
  end,
}
