-- expect: address-is-nil.lua:9: pluginError: http.get needs a URL, got nil: is an option or a field misspelt?
-- expect: address-is-nil.lua:9: in function 'fetch'
local http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local page = { link = "https://example.org/" }
    local response, problem = http.get(page.url)
    if not response then return nil, problem end
  end,
}
