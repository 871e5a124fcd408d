-- expect: pluginError
return {
  api = 1, name = "error-function", version = "1.0.0",
  fetch = function(ctx)
    error(function() end)
  end,
}
