-- expect: cpuLimit
return {
  api = 1, name = "loop-in-xpcall-handler", version = "1.0.0",
  fetch = function(ctx)
    xpcall(error, function() while true do end end)
  end,
}
