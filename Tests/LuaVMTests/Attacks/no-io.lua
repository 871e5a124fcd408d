-- expect: pluginError
return {
  api = 1, name = "no-io", version = "1.0.0",
  fetch = function(ctx)
    return io.open("/etc/passwd")
  end,
}
