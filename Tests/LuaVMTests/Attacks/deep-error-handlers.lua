-- expect: pluginError
return {
  api = 1, name = "deep-error-handlers", version = "1.0.0",
  fetch = function(ctx)
    local function f(e) error(e) end
    return assert(xpcall(error, f))
  end,
}
