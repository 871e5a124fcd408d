-- expect: memoryLimit cpuLimit
return {
  api = 1, name = "bomb-table", version = "1.0.0",
  fetch = function(ctx)
    local t = {}
    for i = 1, math.huge do t[i] = {} end
  end,
}
