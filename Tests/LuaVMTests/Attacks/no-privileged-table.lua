-- expect: pluginError
return {
  api = 1, name = "no-privileged-table", version = "1.0.0",
  fetch = function(ctx)
    return fetchrun.call("http")
  end,
}
