-- expect: pluginError
return {
  api = 1, name = "deep-gsub", version = "1.0.0",
  fetch = function(ctx)
    local function f() return ("x"):gsub("x", f) end
    return f()
  end,
}
