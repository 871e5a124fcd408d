-- expect: host-not-granted-unhandled.lua:9: pluginError: http.get("https://example.com/") returned nil; an earlier call failed: the plugin or hook may not reach example.com (granted: example.org); add "example.com" to its permissions.http, or to `hosts` in the config
-- expect: host-not-granted-unhandled.lua:9: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = { http = { "example.org" } },
  fetch = function(ctx)
    return http.get("https://example.com/"):json()
  end,
}
