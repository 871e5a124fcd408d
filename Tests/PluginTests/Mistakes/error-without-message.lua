-- expect: error-without-message.lua:6: pluginError: an error was raised without a message
-- expect: error-without-message.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    error("")
  end,
}
