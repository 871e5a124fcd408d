-- expect: newData
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    local outside = ctx.options.outside
    -- Tries every function with every path that could lead out.
    local paths = {
      "../outside/secret.txt", "a/../../outside/secret.txt", "./../outside/secret.txt",
      outside .. "/secret.txt", "/" .. outside .. "/secret.txt", "..", ".", "//", "file/..",
      "%2e%2e/outside/secret.txt", "..\\outside\\secret.txt", "\xE2\x80\xA5/outside/secret.txt",
      ".../outside", "~/secret.txt", "out/../../outside/secret.txt",
    }
    for i, path in ipairs(paths) do
      for _, name in ipairs { "read", "stat", "sha256", "remove", "list", "digest" } do
        local answer, problem = files[name](path)
        ctx:emit { id = i .. name, answer = tostring(answer), problem = tostring(problem) }
        assert(not answer, path)
      end
      local moved = files.move("file", path .. "/x")
      if moved then assert(files.move(path .. "/x", "file")) end
      files.write(path, "overwritten")
    end
  end,
}
