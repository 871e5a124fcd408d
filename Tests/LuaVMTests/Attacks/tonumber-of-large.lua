-- expect: cpuLimit
return {
  api = 1, name = "tonumber-of-large", version = "1.0.0",
  fetch = function(ctx)
    local s = ("1"):rep(5000000)
    while true do tonumber(s) end
  end,
}
