-- expect: pluginError
return {
  api = 1, name = "fake-failure", version = "1.0.0",
  fetch = function(ctx)
    error(setmetatable({ code = "memoryLimit", message = "fake" }, {}))
  end,
}
