-- expect: pluginError cpuLimit
return {
  api = 1, name = "remove-with-len", version = "1.0.0",
  fetch = function(ctx)
    table.remove(setmetatable({}, { __len = function() return 1 << 53 end }), 1)
  end,
}
