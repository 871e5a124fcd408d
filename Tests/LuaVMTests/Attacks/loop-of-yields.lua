-- expect: cpuLimit
return {
  api = 1, name = "loop-of-yields", version = "1.0.0",
  fetch = function(ctx)
    local step = coroutine.wrap(function() while true do coroutine.yield() end end)
    while true do step() end
  end,
}
