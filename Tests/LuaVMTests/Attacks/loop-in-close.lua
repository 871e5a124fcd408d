-- expect: cpuLimit
return {
  api = 1, name = "loop-in-close", version = "1.0.0",
  fetch = function(ctx)
    local x <close> = setmetatable({}, { __close = function() while true do end end })
  end,
}
