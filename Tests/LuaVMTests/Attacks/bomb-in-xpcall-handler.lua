-- expect: memoryLimit
return {
  api = 1, name = "bomb-in-xpcall-handler", version = "1.0.0",
  fetch = function(ctx)
    xpcall(error, function() local s = "x" while true do s = s .. s end end)
  end,
}
