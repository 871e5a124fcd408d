-- expect: pluginError
return {
  api = 1, name = "no-os", version = "1.0.0",
  fetch = function(ctx)
    return os.execute("true")
  end,
}
