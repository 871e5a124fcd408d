-- expect: pluginError cpuLimit
return {
  api = 1, name = "pattern-too-complex", version = "1.0.0",
  fetch = function(ctx)
    return ("x"):rep(300000):match(("(x"):rep(31) .. (")"):rep(31) .. ("x?"):rep(250000))
  end,
}
