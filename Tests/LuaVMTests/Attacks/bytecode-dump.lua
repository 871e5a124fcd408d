-- expect: pluginError
return {
  api = 1, name = "bytecode-dump", version = "1.0.0",
  fetch = function(ctx)
    return string.dump(function() end)
  end,
}
