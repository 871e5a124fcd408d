-- expect: permission: the plugin or hook may not reach example.com (granted: example.org); add "example.com" to its permissions.http, or to `hosts` in the config
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = { http = { "example.org" } },
  fetch = function(ctx)
    local response, problem = http.get("https://example.com/")
    if not response then return nil, problem end
  end,
}
