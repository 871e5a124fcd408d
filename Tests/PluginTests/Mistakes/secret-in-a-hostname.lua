-- expect: secret-in-a-hostname.lua:12: invalidURL: the address "https://" has no hostname
-- expect: secret-in-a-hostname.lua:12: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    assert(http.get("https://" .. ctx:secret("token") .. ".example.org/"))
  end,
}
