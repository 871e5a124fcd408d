-- expect: cpuLimit
return {
  api = 1, name = "loop-in-gsub-table", version = "1.0.0",
  fetch = function(ctx)
    return ("abc"):gsub(".", setmetatable({}, { __index = function() while true do end end }))
  end,
}
