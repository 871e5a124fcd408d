-- expect: memoryLimit pluginError cpuLimit
return {
  api = 1, name = "bomb-of-varargs", version = "1.0.0",
  fetch = function(ctx)
    local function grow(...) return grow(1, 2, 3, ...) end
    grow()
  end,
}
