-- expect: pluginError
return {
  api = 1, name = "error-with-tostring-loop", version = "1.0.0",
  fetch = function(ctx)
    error(setmetatable({}, { __tostring = function() while true do end end }))
  end,
}
