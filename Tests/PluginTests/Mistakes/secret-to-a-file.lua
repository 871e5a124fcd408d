-- expect: secret-to-a-file.lua:12: permission: a secret cannot be used in a 'file:' address, because only servers may receive secrets
-- expect: secret-to-a-file.lua:12: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    assert(http.get("file:///etc/passwd", { query = { key = ctx:secret("token") } }))
  end,
}
