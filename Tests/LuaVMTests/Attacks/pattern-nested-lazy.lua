-- expect: cpuLimit
return {
  api = 1, name = "pattern-nested-lazy", version = "1.0.0",
  fetch = function(ctx)
    return (("a"):rep(30000)):find(".-.-.-.-b")
  end,
}
