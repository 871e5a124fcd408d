-- expect: pluginError
return {
  api = 1, name = "error-in-close", version = "1.0.0",
  fetch = function(ctx)
    local x <close> = setmetatable({}, { __close = function() error("closing") end })
    error("first")
  end,
}
