-- expect: cpuLimit
return {
  api = 1, name = "loop-for", version = "1.0.0",
  fetch = function(ctx)
    for i = 1, math.huge do end
  end,
}
