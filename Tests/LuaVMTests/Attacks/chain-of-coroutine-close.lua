-- expect: pluginError
return {
  api = 1, name = "chain-of-coroutine-close", version = "1.0.0",
  fetch = function(ctx)
    return coroutine.close(coroutine.create(function() end))
  end,
}
