-- expect: cpuLimit noData
return {
  api = 1, name = "pattern-anchored-tail", version = "1.0.0",
  fetch = function(ctx)
    local s = ("a"):rep(200000)
    s:find("a*$b")
    for _ in s:gmatch("a-b") do end
    return {}
  end,
}
