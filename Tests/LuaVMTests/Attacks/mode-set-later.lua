-- expect: noData memoryLimit
return {
  api = 1, name = "mode-set-later", version = "1.0.0",
  fetch = function(ctx)
    -- Weak tables cost seconds in one collection, and 5.4.4 has memory bugs with them.
    local meta = {}
    local t = setmetatable({}, meta)
    meta.__mode = "k"
    local key = {}
    for _ = 1, 30000 do
      local more = {}
      t[key] = more
      key = more
    end
    return {}
  end,
}
