-- expect: header-is-a-table.lua:9: pluginError: http: the header 'Accept' must be a string, a number or a secret, got a table
-- expect: header-is-a-table.lua:9: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = { http = { "example.org" } },
  fetch = function(ctx)
    assert(http.get("https://example.org/", { headers = { Accept = { "text/html" } } }))
  end,
}
