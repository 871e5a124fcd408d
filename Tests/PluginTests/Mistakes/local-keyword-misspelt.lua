-- expect: local-keyword-misspelt.lua:2: syntax error near 'http'; unknown word 'loacl': did you mean `local`?
loacl http = require "http"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx) return {} end,
}
