-- expect: cpuLimit noData
return {
  api = 1, name = "pattern-frontier", version = "1.0.0",
  fetch = function(ctx)
    local s = ("ab"):rep(100000)
    s:find("%f[c].-%f[d].-x")
    return {}
  end,
}
