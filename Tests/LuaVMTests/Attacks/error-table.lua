-- expect: pluginError
return {
  api = 1, name = "error-table", version = "1.0.0",
  fetch = function(ctx)
    error({})
  end,
}
