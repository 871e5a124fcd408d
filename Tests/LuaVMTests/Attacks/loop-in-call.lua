-- expect: cpuLimit
return {
  api = 1, name = "loop-in-call", version = "1.0.0",
  fetch = function(ctx)
    setmetatable({}, { __call = function() while true do end end })()
  end,
}
