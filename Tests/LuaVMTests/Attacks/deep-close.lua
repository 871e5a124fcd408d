-- expect: pluginError memoryLimit cpuLimit
return {
  api = 1, name = "deep-close", version = "1.0.0",
  fetch = function(ctx)
    local meta = {}
    meta.__close = function() local x <close> = setmetatable({}, meta) end
    local x <close> = setmetatable({}, meta)
  end,
}
