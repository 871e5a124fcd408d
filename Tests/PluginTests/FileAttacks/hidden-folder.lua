-- expect: newData
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    local outside = ctx.options.outside
    for _, path in ipairs { ".fetchrun-partial", ".fetchrun-partial/1" } do
      for _, name in ipairs { "read", "stat", "sha256", "remove", "list", "digest" } do
        local answer, problem = files[name](path)
        assert(answer == nil and problem:find("reserved for fetchrun", 1, true), problem)
      end
      assert(not files.write(path, "x"))
      assert(not files.move("file", path))
      assert(not files.move(path, "x"))
    end
    for _, entry in ipairs(files.list({ recursive = true })) do
      assert(not entry.path:find("fetchrun", 1, true))
    end
    ctx:emit { id = "done" }
  end,
}
