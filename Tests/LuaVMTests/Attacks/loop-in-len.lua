-- expect: cpuLimit
return {
  api = 1, name = "loop-in-len", version = "1.0.0",
  fetch = function(ctx)
    return #setmetatable({}, { __len = function() while true do end end })
  end,
}
