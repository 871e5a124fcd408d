-- expect: cpuLimit
return {
  api = 1, name = "loop-in-concat", version = "1.0.0",
  fetch = function(ctx)
    return setmetatable({}, { __concat = function() while true do end end }) .. "x"
  end,
}
