-- expect: cpuLimit pluginError
return {
  api = 1, name = "pattern-captures", version = "1.0.0",
  fetch = function(ctx)
    return (("a"):rep(10000)):match(("(a-)"):rep(30) .. "b")
  end,
}
