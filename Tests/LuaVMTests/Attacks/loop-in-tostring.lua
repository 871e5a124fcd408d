-- expect: cpuLimit
return {
  api = 1, name = "loop-in-tostring", version = "1.0.0",
  fetch = function(ctx)
    return tostring(setmetatable({}, { __tostring = function() while true do end end }))
  end,
}
