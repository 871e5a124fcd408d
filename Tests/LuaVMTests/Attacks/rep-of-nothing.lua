-- expect: noData cpuLimit pluginError
return {
  api = 1, name = "rep-of-nothing", version = "1.0.0",
  fetch = function(ctx)
    local _ = (""):rep(math.maxinteger)
    return {}
  end,
}
