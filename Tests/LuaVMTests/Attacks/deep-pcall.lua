-- expect: cpuLimit memoryLimit
return {
  api = 1, name = "deep-pcall", version = "1.0.0",
  fetch = function(ctx)
    local function f() return pcall(f), pcall(f) end
    while true do f() end
  end,
}
