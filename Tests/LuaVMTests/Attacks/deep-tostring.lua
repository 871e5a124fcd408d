-- expect: pluginError
return {
  api = 1, name = "deep-tostring", version = "1.0.0",
  fetch = function(ctx)
    local meta = {}
    meta.__tostring = function(t) return tostring(t) end
    return tostring(setmetatable({}, meta))
  end,
}
