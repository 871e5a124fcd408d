-- expect: memoryLimit pluginError
return {
  api = 1, name = "rep-huge-separator", version = "1.0.0",
  fetch = function(ctx)
    return (""):rep(1e9, "x")
  end,
}
