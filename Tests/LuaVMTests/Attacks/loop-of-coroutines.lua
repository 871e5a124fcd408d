-- expect: cpuLimit memoryLimit
return {
  api = 1, name = "loop-of-coroutines", version = "1.0.0",
  fetch = function(ctx)
    while true do
      coroutine.wrap(function() coroutine.yield(1) end)()
    end
  end,
}
