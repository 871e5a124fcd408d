-- expect: pluginError
return {
  api = 1, name = "error-with-index-loop", version = "1.0.0",
  fetch = function(ctx)
    error(setmetatable({}, { __index = function() while true do end end }))
  end,
}
