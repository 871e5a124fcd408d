-- expect: pluginError cpuLimit
return {
  api = 1, name = "byte-huge", version = "1.0.0",
  fetch = function(ctx)
    local s = ("x"):rep(5000000)
    while true do select("#", s:byte(1, -1)) end
  end,
}
