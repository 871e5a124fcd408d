-- expect: invalidURL: the address "example.org/feed" has no scheme; write one, as in https://example.org/
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = { http = { "example.org" } },
  fetch = function(ctx)
    return nil, select(2, http.get("example.org/feed"))
  end,
}
