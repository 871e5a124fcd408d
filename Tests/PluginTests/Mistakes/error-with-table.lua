-- expect: error-with-table.lua:6: pluginError: the error is a table, not a message
-- expect: error-with-table.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    error { reason = "quota" }
  end,
}
