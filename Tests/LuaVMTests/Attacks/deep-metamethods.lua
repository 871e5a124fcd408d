-- expect: pluginError cpuLimit
return {
  api = 1, name = "deep-metamethods", version = "1.0.0",
  fetch = function(ctx)
    local t = {}
    for _ = 1, 100000 do t = setmetatable({}, { __index = t }) end
    return t.x.y
  end,
}
