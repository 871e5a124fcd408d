-- expect: newData
local files = require "files"

return {
  api = 1, name = "attack", version = "1.0.0",
  options = { outside = { required = true } },
  fetch = function(ctx)
    local outside = ctx.options.outside
    local granted = outside:gsub("outside$", "granted")
    for _, path in ipairs {
      outside, granted .. "/out", granted .. "/../outside", granted .. "/./x", granted .. "ness",
      granted .. "/link", "granted", "", "/", granted .. "/none", granted .. "/fifo",
    } do
      local folder, problem = files.folder(path)
      ctx:emit { id = path, problem = tostring(problem) }
      assert(folder == nil, path)
    end
    local folder = assert(files.folder(granted))
    assert(folder:read("file") == "granted")
    for _, path in ipairs { "link", "out/secret.txt", "../outside/secret.txt", "fifo" } do
      assert(not folder:read(path), path)
      assert(not folder:sha256(path), path)
    end
    for _, name in ipairs { "write", "move", "remove", "folder" } do
      local found = pcall(function() return folder[name] end)
      assert(not found, name)
    end
  end,
}
