-- expect: cpuLimit
return {
  api = 1, name = "loop-in-coroutine", version = "1.0.0",
  fetch = function(ctx)
    coroutine.resume(coroutine.create(function() while true do end end))
    return {}
  end,
}
