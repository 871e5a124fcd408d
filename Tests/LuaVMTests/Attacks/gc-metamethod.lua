-- expect: pluginError
return {
  api = 1, name = "gc-metamethod", version = "1.0.0",
  fetch = function(ctx)
    setmetatable({}, { __gc = function() while true do end end })
  end,
}
