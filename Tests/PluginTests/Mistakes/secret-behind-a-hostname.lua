-- expect: secret-behind-a-hostname.lua:12: permission: a secret is only allowed in the path and the query of an address, after the / or ? that follows the hostname
-- expect: secret-behind-a-hostname.lua:12: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    assert(http.get("https://api.example.org" .. ctx:secret("token") .. "/"))
  end,
}
