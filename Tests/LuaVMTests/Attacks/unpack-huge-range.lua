-- expect: pluginError
return {
  api = 1, name = "unpack-huge-range", version = "1.0.0",
  fetch = function(ctx)
    return table.unpack({}, 1, 1e8)
  end,
}
