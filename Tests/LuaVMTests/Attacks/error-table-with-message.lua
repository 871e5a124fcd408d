-- expect: pluginError
return {
  api = 1, name = "error-table-with-message", version = "1.0.0",
  fetch = function(ctx)
    error({ message = "told" })
  end,
}
