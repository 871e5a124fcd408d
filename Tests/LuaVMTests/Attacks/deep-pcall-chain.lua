-- expect: cpuLimit memoryLimit
return {
  api = 1, name = "deep-pcall-chain", version = "1.0.0",
  fetch = function(ctx)
    local function f() pcall(f) while true do end end
    f()
  end,
}
