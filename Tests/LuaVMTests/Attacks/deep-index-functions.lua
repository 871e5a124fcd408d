-- expect: pluginError
return {
  api = 1, name = "deep-index-functions", version = "1.0.0",
  fetch = function(ctx)
    local meta = {}
    meta.__index = function(t, k) return t[k .. "x"] end
    return setmetatable({}, meta).x
  end,
}
