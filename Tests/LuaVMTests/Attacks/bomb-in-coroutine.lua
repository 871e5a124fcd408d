-- expect: memoryLimit
return {
  api = 1, name = "bomb-in-coroutine", version = "1.0.0",
  fetch = function(ctx)
    while true do
      coroutine.resume(coroutine.create(function() local s = "x" while true do s = s .. s end end))
    end
  end,
}
