-- expect: pluginError memoryLimit cpuLimit
return {
  api = 1, name = "deep-xpcall", version = "1.0.0",
  fetch = function(ctx)
    local function f() return 1 + select(2, xpcall(f, f)) end
    return f()
  end,
}
