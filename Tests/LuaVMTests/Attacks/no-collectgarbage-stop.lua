-- expect: pluginError
return {
  api = 1, name = "no-collectgarbage-stop", version = "1.0.0",
  fetch = function(ctx)
    collectgarbage("stop")
  end,
}
