-- expect: pluginError cpuLimit
return {
  api = 1, name = "codepoint-huge", version = "1.0.0",
  fetch = function(ctx)
    local s = ("x"):rep(5000000)
    while true do select("#", utf8.codepoint(s, 1, -1)) end
  end,
}
