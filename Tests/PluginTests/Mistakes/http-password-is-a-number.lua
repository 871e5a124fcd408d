-- expect: http-password-is-a-number.lua:9: pluginError: http: auth.password must be a UTF-8 string or a secret
-- expect: http-password-is-a-number.lua:9: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = { http = { "example.org" } },
  fetch = function(ctx)
    assert(http.get("https://example.org/", { auth = { user = "ann", password = 1 } }))
  end,
}
