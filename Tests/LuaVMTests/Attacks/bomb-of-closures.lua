-- expect: memoryLimit cpuLimit
return {
  api = 1, name = "bomb-of-closures", version = "1.0.0",
  fetch = function(ctx)
    local f
    while true do
      local g = f
      f = function() return g end
    end
  end,
}
