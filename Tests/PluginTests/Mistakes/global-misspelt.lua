-- expect: global-misspelt.lua:6: pluginError: undefined global 'iparis': did you mean 'ipairs'?
-- expect: global-misspelt.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    for i, name in iparis { "a" } do ctx:emit { id = name } end
  end,
}
