-- expect: date-is-a-number.lua:7: invalidItem: item 1 'published': expected a date as a string, got the number 1700000000; for seconds since 1970, write time.format(1700000000)
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { { title = "x", published = 1700000000 } }
  end,
}
