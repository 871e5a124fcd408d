-- expect: global-is-a-module.lua:6: pluginError: undefined global 'json': write local json = require "json"
-- expect: global-is-a-module.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return json.decode("[]")
  end,
}
