-- expect: pluginError
return {
  api = 1, name = "no-debug", version = "1.0.0",
  fetch = function(ctx)
    return debug.getregistry()
  end,
}
