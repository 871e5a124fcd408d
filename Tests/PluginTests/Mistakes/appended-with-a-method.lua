-- expect: appended-with-a-method.lua:7: pluginError: items has no function 'insert': write items[#items + 1] = …
-- expect: appended-with-a-method.lua:7: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local items = { { id = "1" } }
    items:insert({ id = "2" })
    return items
  end,
}
