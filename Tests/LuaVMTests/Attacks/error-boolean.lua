-- expect: pluginError
return {
  api = 1, name = "error-boolean", version = "1.0.0",
  fetch = function(ctx)
    error(false)
  end,
}
