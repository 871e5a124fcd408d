-- expect: request-while-loading.lua:3: http.request is not possible while the file is loading; call it in fetch or in a hook's function
local http = require "http"
local response = http.get("https://example.org/")

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx) return response:json() end,
}
