-- expect: cpuLimit
return {
  api = 1, name = "compare-of-large", version = "1.0.0",
  fetch = function(ctx)
    local a, b = ("x"):rep(5000000), ("x"):rep(4999999) .. "y"
    while true do local _ = a < b end
  end,
}
