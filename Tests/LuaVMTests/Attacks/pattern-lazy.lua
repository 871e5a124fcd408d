-- expect: cpuLimit
return {
  api = 1, name = "pattern-lazy", version = "1.0.0",
  fetch = function(ctx)
    return (("a"):rep(30)):find(("a-"):rep(14) .. "b")
  end,
}
