-- expect: secret-as-a-json-name.lua:12: pluginError: a secret cannot be a key in a table
-- expect: secret-as-a-json-name.lua:12: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    assert(http.post("https://api.example.org/", { json = { [ctx:secret("token")] = 1 } }))
  end,
}
