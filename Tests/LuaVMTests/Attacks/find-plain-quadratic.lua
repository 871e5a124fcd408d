-- expect: cpuLimit
return {
  api = 1, name = "find-plain-quadratic", version = "1.0.0",
  fetch = function(ctx)
    local a = ("a"):rep(1000000)
    local b = ("a"):rep(500000) .. "b"
    while true do a:find(b, 1, true) end
  end,
}
