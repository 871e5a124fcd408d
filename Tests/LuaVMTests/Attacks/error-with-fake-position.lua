-- expect: pluginError
return {
  api = 1, name = "error-with-fake-position", version = "1.0.0",
  fetch = function(ctx)
    error("plugin.lua:99999999999999: fake", 0)
  end,
}
