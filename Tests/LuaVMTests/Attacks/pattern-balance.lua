-- expect: cpuLimit noData
return {
  api = 1, name = "pattern-balance", version = "1.0.0",
  fetch = function(ctx)
    local s = ("("):rep(200000)
    s:find("%b()")
    return {}
  end,
}
