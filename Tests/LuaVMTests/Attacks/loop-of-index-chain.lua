-- expect: pluginError cpuLimit
return {
  api = 1, name = "loop-of-index-chain", version = "1.0.0",
  fetch = function(ctx)
    local t = {}
    setmetatable(t, { __index = t })
    return t.x
  end,
}
