-- expect: cpuLimit
return {
  api = 1, name = "loop-repeat", version = "1.0.0",
  fetch = function(ctx)
    repeat until false
  end,
}
