-- expect: pluginError cpuLimit memoryLimit
return {
  api = 1, name = "move-grows", version = "1.0.0",
  fetch = function(ctx)
    return table.move({ 1 }, 1, 1e9, 2)
  end,
}
