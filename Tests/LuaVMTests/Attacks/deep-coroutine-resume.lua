-- expect: noData memoryLimit cpuLimit pluginError
return {
  api = 1, name = "deep-coroutine-resume", version = "1.0.0",
  fetch = function(ctx)
    local function f() return coroutine.resume(coroutine.create(f)) end
    f()
    return {}
  end,
}
