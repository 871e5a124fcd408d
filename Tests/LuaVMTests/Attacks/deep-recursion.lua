-- expect: pluginError memoryLimit
return {
  api = 1, name = "deep-recursion", version = "1.0.0",
  fetch = function(ctx)
    local function f() return 1 + f() end
    return f()
  end,
}
