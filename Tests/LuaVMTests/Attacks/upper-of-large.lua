-- expect: cpuLimit
return {
  api = 1, name = "upper-of-large", version = "1.0.0",
  fetch = function(ctx)
    local s = ("x"):rep(5000000)
    while true do s:upper() end
  end,
}
