-- expect: cpuLimit
return {
  api = 1, name = "loop-while", version = "1.0.0",
  fetch = function(ctx)
    while true do end
  end,
}
