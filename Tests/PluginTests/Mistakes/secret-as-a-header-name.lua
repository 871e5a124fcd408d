-- expect: secret-as-a-header-name.lua:12: pluginError: http: a secret cannot be the name of a header or a field
-- expect: secret-as-a-header-name.lua:12: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    assert(http.get("https://api.example.org/", { headers = { [ctx:secret("token")] = 1 } }))
  end,
}
