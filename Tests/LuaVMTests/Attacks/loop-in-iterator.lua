-- expect: cpuLimit
return {
  api = 1, name = "loop-in-iterator", version = "1.0.0",
  fetch = function(ctx)
    for _ in function() return true end do end
  end,
}
