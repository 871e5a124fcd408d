-- expect: cpuLimit
return {
  api = 1, name = "pattern-backreference", version = "1.0.0",
  fetch = function(ctx)
    return (("a"):rep(100000)):find("(a*)%1%1b")
  end,
}
