-- expect: list-name-wrong.lua:9: pluginError: ipairs got nil instead of a list: answer has no field 'bookz' (did you mean 'books'? it has books, total)
-- expect: list-name-wrong.lua:9: in function 'fetch'
local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local answer = { books = {}, total = 0 }
    for _, book in ipairs(answer.bookz) do ctx:emit(book) end
  end,
}
