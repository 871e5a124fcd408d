-- expect: cpuLimit
return {
  api = 1, name = "next-of-emptied", version = "1.0.0",
  fetch = function(ctx)
    local t = {}
    for i = 1, 100000 do t["k" .. i] = 1 end
    for i = 1, 100000 do t["k" .. i] = nil end
    while true do next(t) end
  end,
}
