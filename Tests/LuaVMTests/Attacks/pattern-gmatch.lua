-- expect: cpuLimit
return {
  api = 1, name = "pattern-gmatch", version = "1.0.0",
  fetch = function(ctx)
    for _ in (("a"):rep(30000)):gmatch(".-.-.-b") do end
  end,
}
