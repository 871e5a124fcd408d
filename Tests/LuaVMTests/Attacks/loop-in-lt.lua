-- expect: cpuLimit
return {
  api = 1, name = "loop-in-lt", version = "1.0.0",
  fetch = function(ctx)
    local meta = { __lt = function() while true do end end }
    return setmetatable({}, meta) < setmetatable({}, meta)
  end,
}
