-- expect: pluginError
return {
  api = 1, name = "load-reader-endless", version = "1.0.0",
  fetch = function(ctx)
    return load(function() return " " end)
  end,
}
