-- expect: secret-as-a-misspelt-option.lua:12: pluginError: http.get: unknown option 'beaer'; the options are auth, bearer, body, conditional, form, headers, json, method, query, redirects, timeout, url
-- expect: secret-as-a-misspelt-option.lua:12: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = {
    http = { "example.org", "api.example.org" },
    secrets = { token = { hosts = { "api.example.org" } } },
  },
  fetch = function(ctx)
    assert(http.get("https://api.example.org/", { beaer = ctx:secret("token") }))
  end,
}
