-- expect: cpuLimit
return {
  api = 1, name = "pattern-optional", version = "1.0.0",
  fetch = function(ctx)
    return (("a"):rep(40)):find(("a?"):rep(40) .. ("a"):rep(40) .. "b")
  end,
}
