-- expect: appended-with-a-field.lua:7: pluginError: items has no function 'append': write items[#items + 1] = …
-- expect: appended-with-a-field.lua:7: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local items = {}
    items.append({ id = "1" })
    return items
  end,
}
