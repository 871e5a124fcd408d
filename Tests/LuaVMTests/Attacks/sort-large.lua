-- expect: pluginError cpuLimit memoryLimit
return {
  api = 1, name = "sort-large", version = "1.0.0",
  fetch = function(ctx)
    local t = {}
    for i = 1, 500000 do t[i] = -i % 1000 end
    while true do table.sort(t, function(a, b) return a > b end) end
  end,
}
