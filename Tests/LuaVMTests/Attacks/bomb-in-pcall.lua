-- expect: memoryLimit
return {
  api = 1, name = "bomb-in-pcall", version = "1.0.0",
  fetch = function(ctx)
    local t = {}
    while true do
      pcall(function() for i = 1, math.huge do t[#t + 1] = string.rep("x", 1000) end end)
    end
  end,
}
