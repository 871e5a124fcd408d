-- expect: cpuLimit
return {
  api = 1, name = "loop-in-format", version = "1.0.0",
  fetch = function(ctx)
    return ("%s"):format(setmetatable({}, { __tostring = function() while true do end end }))
  end,
}
