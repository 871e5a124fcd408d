-- expect: cpuLimit
return {
  api = 1, name = "loop-in-index", version = "1.0.0",
  fetch = function(ctx)
    return setmetatable({}, { __index = function() while true do end end }).x
  end,
}
