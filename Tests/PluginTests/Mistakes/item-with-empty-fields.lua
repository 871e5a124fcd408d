-- expect: invalidItem: item 1 has only empty fields; an item is a table such as { id = …, title = …, url = … }
local json = require "json"
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { { title = "", tags = {}, rank = json.null } }
  end,
}
