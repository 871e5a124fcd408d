-- expect: secret-to-another-host.lua:12: permission: the secret 'token' may not be sent to example.org (granted: api.example.org); add the server to `hosts` of the secret in the config or the case file if you trust it
-- expect: secret-to-another-host.lua:12: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    assert(http.get("https://example.org/", { bearer = ctx:secret("token") }))
  end,
}
