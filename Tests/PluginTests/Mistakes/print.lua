-- expect: print.lua:6: pluginError: undefined global 'print': use require "log"
-- expect: print.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    print("hello")
  end,
}
