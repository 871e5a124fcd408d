-- expect: pluginError cpuLimit
return {
  api = 1, name = "insert-with-len", version = "1.0.0",
  fetch = function(ctx)
    table.insert(setmetatable({}, { __len = function() return 1 << 53 end }), 1, 1)
  end,
}
