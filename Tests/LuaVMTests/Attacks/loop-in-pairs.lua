-- expect: cpuLimit
return {
  api = 1, name = "loop-in-pairs", version = "1.0.0",
  fetch = function(ctx)
    for _ in pairs(setmetatable({}, { __pairs = function() while true do end end })) do end
  end,
}
