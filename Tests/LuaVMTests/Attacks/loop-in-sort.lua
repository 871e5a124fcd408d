-- expect: cpuLimit
return {
  api = 1, name = "loop-in-sort", version = "1.0.0",
  fetch = function(ctx)
    table.sort({ 3, 2, 1 }, function() while true do end end)
  end,
}
