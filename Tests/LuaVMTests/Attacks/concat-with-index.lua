-- expect: pluginError cpuLimit
return {
  api = 1, name = "concat-with-index", version = "1.0.0",
  fetch = function(ctx)
    return table.concat(setmetatable({}, { __index = function() return "" end, __len = function() return math.maxinteger end }))
  end,
}
