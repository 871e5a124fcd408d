-- expect: memoryLimit cpuLimit
return {
  api = 1, name = "bomb-by-size-classes", version = "1.0.0",
  fetch = function(ctx)
    -- Fills the limit with blocks of one size after another.
    for size = 16, 1000, 16 do
      local t = {}
      pcall(function()
        for i = 1, 12 * 1024 * 1024 // (size + 48) do t[i] = ("x"):rep(size) .. i end
      end)
    end
    local t = {}
    for i = 1, math.huge do t[i] = {} end
  end,
}
