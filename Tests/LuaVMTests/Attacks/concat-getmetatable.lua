-- expect: pluginError cpuLimit
return {
  api = 1, name = "concat-getmetatable", version = "1.0.0",
  fetch = function(ctx)
    local t = setmetatable({}, { __index = getmetatable, __metatable = "" })
    return table.concat(t, "", 1, math.maxinteger)
  end,
}
