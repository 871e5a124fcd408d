-- expect: secret-signing-key-is-a-number.lua:12: pluginError: http: auth.aws.secret must be a secret: ctx:secret("name")
-- expect: secret-signing-key-is-a-number.lua:12: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    assert(http.get("https://api.example.org/", {
      auth = { aws = { key = "A", secret = 1, region = "r", service = "s3" } } }))
  end,
}
