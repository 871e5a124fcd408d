-- expect: global-null.lua:6: pluginError: undefined global 'null': write nil, or json.null for the null of JSON
-- expect: global-null.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { { title = null } }
  end,
}
