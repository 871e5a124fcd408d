-- expect: pluginError
return {
  api = 1, name = "format-width", version = "1.0.0",
  fetch = function(ctx)
    return ("%1000000000d"):format(1)
  end,
}
