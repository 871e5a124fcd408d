-- expect: cpuLimit
return {
  api = 1, name = "loop-in-pcall", version = "1.0.0",
  fetch = function(ctx)
    while true do
      pcall(function() while true do end end)
    end
  end,
}
