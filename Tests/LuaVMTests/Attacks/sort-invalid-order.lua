-- expect: pluginError cpuLimit
return {
  api = 1, name = "sort-invalid-order", version = "1.0.0",
  fetch = function(ctx)
    local t = {}
    for i = 1, 1000 do t[i] = i end
    while true do pcall(table.sort, t, function() return true end) end
  end,
}
