-- expect: os-time.lua:6: pluginError: undefined global 'os': plugins have no os; use require "time" for dates and times
-- expect: os-time.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { { id = os.time(), title = "now" } }
  end,
}
