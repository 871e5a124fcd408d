-- expect: pluginError cpuLimit
return {
  api = 1, name = "concat-huge-range", version = "1.0.0",
  fetch = function(ctx)
    return table.concat({}, "", 1, math.maxinteger)
  end,
}
