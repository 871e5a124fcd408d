-- expect: pluginError
return {
  api = 1, name = "error-huge-message", version = "1.0.0",
  fetch = function(ctx)
    error(("x"):rep(5000000))
  end,
}
