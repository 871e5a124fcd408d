-- expect: noData
return {
  api = 1, name = "gc-set-later", version = "1.0.0",
  fetch = function(ctx)
    local meta = {}
    for _ = 1, 100 do setmetatable({}, meta) end
    meta.__gc = function() while true do end end
    local t = {}
    for i = 1, 20000 do t = { t } if i % 100 == 0 then t = {} end end
    return {}
  end,
}
