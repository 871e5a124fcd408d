-- expect: length-as-a-function.lua:7: pluginError: undefined global 'len': write # before the name of the list: #items
-- expect: length-as-a-function.lua:7: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local items = {}
    if len(items) == 0 then return nil, "empty" end
    return items
  end,
}
