-- expect: query-field-is-a-nested-list.lua:9: pluginError: http: the field 'tag' must be a string, a number or a secret, got a table
-- expect: query-field-is-a-nested-list.lua:9: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = { http = { "example.org" } },
  fetch = function(ctx)
    assert(http.get("https://example.org/", { query = { tag = { { "a" } } } }))
  end,
}
