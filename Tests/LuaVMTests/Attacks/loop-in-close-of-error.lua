-- expect: cpuLimit
return {
  api = 1, name = "loop-in-close-of-error", version = "1.0.0",
  fetch = function(ctx)
    pcall(function()
      local x <close> = setmetatable({}, { __close = function() while true do end end })
      error("out")
    end)
  end,
}
