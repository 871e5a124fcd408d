-- expect: pluginError
return {
  api = 1, name = "deep-sort", version = "1.0.0",
  fetch = function(ctx)
    local function f() table.sort({ 1, 2, 3 }, f) return true end
    return f()
  end,
}
