-- expect: cpuLimit
return {
  api = 1, name = "loop-of-errors", version = "1.0.0",
  fetch = function(ctx)
    while true do pcall(error, {}) end
  end,
}
