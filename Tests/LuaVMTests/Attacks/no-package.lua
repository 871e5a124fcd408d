-- expect: pluginError
return {
  api = 1, name = "no-package", version = "1.0.0",
  fetch = function(ctx)
    return package.loadlib("libc.so.6", "*")
  end,
}
