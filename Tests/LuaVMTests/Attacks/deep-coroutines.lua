-- expect: pluginError memoryLimit
return {
  api = 1, name = "deep-coroutines", version = "1.0.0",
  fetch = function(ctx)
    local function f() return coroutine.wrap(f)() end
    return f()
  end,
}
