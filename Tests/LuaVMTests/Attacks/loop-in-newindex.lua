-- expect: cpuLimit
return {
  api = 1, name = "loop-in-newindex", version = "1.0.0",
  fetch = function(ctx)
    setmetatable({}, { __newindex = function() while true do end end }).x = 1
  end,
}
