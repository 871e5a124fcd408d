-- expect: permission: the plugin may not read /etc/passwd (granted: nothing); allow it with `--allow-read`, or with `allow_read` in the config or the case file
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return nil, select(2, http.get("file:///etc/passwd"))
  end,
}
