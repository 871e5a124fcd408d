-- expect: pluginError noData cpuLimit
return {
  api = 1, name = "gmatch-after-error", version = "1.0.0",
  fetch = function(ctx)
    local next_match = ("x"):rep(100000):gmatch(("x?"):rep(10000) .. "(")
    for _ = 1, 10 do pcall(next_match) end
    return {}
  end,
}
