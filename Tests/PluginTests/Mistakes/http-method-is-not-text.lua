-- expect: http-method-is-not-text.lua:9: pluginError: http: method must be a UTF-8 string
-- expect: http-method-is-not-text.lua:9: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = { http = { "example.org" } },
  fetch = function(ctx)
    assert(http.request { method = "P\255T", url = "https://example.org/" })
  end,
}
