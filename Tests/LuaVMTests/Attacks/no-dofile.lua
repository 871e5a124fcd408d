-- expect: pluginError
return {
  api = 1, name = "no-dofile", version = "1.0.0",
  fetch = function(ctx)
    return dofile("/etc/passwd")
  end,
}
