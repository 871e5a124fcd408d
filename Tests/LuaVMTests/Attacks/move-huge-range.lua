-- expect: pluginError cpuLimit
return {
  api = 1, name = "move-huge-range", version = "1.0.0",
  fetch = function(ctx)
    return table.move({}, 1, math.maxinteger - 1, 2)
  end,
}
