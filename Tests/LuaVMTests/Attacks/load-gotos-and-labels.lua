-- expect: cpuLimit memoryLimit noData
return {
  api = 1, name = "load-gotos-and-labels", version = "1.0.0",
  fetch = function(ctx)
    local lines = {}
    for i = 1, 30000 do lines[i] = "goto x" .. i end
    for i = 1, 30000 do lines[30000 + i] = "::x" .. i .. "::" end
    load(table.concat(lines, " "))
    return {}
  end,
}
