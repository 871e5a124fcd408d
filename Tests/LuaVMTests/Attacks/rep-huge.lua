-- expect: memoryLimit pluginError
return {
  api = 1, name = "rep-huge", version = "1.0.0",
  fetch = function(ctx)
    return ("x"):rep(1e9)
  end,
}
