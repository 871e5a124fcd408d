-- expect: pluginError
return {
  api = 1, name = "no-privileged-table-by-load", version = "1.0.0",
  fetch = function(ctx)
    return load("return fetchrun")()
  end,
}
