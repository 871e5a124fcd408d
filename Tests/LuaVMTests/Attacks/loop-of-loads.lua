-- expect: cpuLimit memoryLimit
return {
  api = 1, name = "loop-of-loads", version = "1.0.0",
  fetch = function(ctx)
    while true do load("return 1")() end
  end,
}
