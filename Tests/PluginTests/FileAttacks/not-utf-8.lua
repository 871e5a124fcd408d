-- expect: newData
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    local outside = ctx.options.outside
    for _, path in ipairs { "\xFF", "a/\xC0\xAE\xC0\xAE/b", "\xED\xA0\x80", "file\x80" } do
      local answer, problem = files.read(path)
      assert(answer == nil and problem:find("is not UTF-8", 1, true), problem)
      assert(not files.write(path, "x"))
      assert(not files.folder("/" .. path))
    end
    ctx:emit { id = "done" }
  end,
}
