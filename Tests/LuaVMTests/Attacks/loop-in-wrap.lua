-- expect: cpuLimit
return {
  api = 1, name = "loop-in-wrap", version = "1.0.0",
  fetch = function(ctx)
    coroutine.wrap(function() while true do end end)()
  end,
}
