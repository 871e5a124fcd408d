-- expect: io-open.lua:6: pluginError: undefined global 'io': there is no io library; plugins can use require "files"
-- expect: io-open.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local file = io.open("/etc/passwd")
    return { { id = 1, title = file:read("a") } }
  end,
}
