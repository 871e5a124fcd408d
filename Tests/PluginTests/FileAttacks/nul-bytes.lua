-- expect: newData
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    local outside = ctx.options.outside
    for i, path in ipairs { "file\0", "\0", "a\0/../../outside/secret.txt", "link\0.txt" } do
      for _, name in ipairs { "read", "stat", "sha256", "remove", "list", "digest" } do
        local answer, problem = files[name](path)
        assert(answer == nil and problem:find("NUL byte", 1, true), path)
      end
      assert(not files.write(path, "x"))
      assert(not files.move("file", path))
      assert(not files.folder(outside .. path))
    end
    ctx:emit { id = "done" }
  end,
}
