-- expect: pluginError
return {
  api = 1, name = "sort-with-len", version = "1.0.0",
  fetch = function(ctx)
    table.sort(setmetatable({}, { __len = function() return 1 << 31 end, __index = function() return 1 end }))
  end,
}
