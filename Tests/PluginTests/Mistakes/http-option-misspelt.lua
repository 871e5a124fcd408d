-- expect: http-option-misspelt.lua:9: pluginError: http.get: unknown option 'header'; the options are auth, bearer, body, conditional, form, headers, json, method, query, redirects, timeout, url
-- expect: http-option-misspelt.lua:9: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  permissions = { http = { "example.org" } },
  fetch = function(ctx)
    return http.get("https://example.org/", { header = { Accept = "text/html" } }):json()
  end,
}
