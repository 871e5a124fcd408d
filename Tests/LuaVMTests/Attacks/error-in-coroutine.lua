-- expect: pluginError
return {
  api = 1, name = "error-in-coroutine", version = "1.0.0",
  fetch = function(ctx)
    coroutine.wrap(function() error({}) end)()
  end,
}
