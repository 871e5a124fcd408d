-- expect: pluginError
return {
  api = 1, name = "error-coroutine", version = "1.0.0",
  fetch = function(ctx)
    error(coroutine.create(function() end))
  end,
}
