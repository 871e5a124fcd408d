-- expect: pluginError
return {
  api = 1, name = "unpack-with-index", version = "1.0.0",
  fetch = function(ctx)
    return table.unpack(setmetatable({}, { __index = function() while true do end end }), 1, 1e7)
  end,
}
