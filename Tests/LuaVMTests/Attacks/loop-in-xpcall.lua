-- expect: cpuLimit
return {
  api = 1, name = "loop-in-xpcall", version = "1.0.0",
  fetch = function(ctx)
    xpcall(function() while true do end end, function() while true do end end)
  end,
}
