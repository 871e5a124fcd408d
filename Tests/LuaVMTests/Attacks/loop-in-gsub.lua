-- expect: cpuLimit
return {
  api = 1, name = "loop-in-gsub", version = "1.0.0",
  fetch = function(ctx)
    return ("abc"):gsub(".", function() while true do end end)
  end,
}
