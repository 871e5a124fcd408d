-- expect: noData
return {
  api = 1, name = "value-with-metamethods", version = "1.0.0",
  fetch = function(ctx)
    -- Encoding calls no metamethod.
    local function loop() while true do end end
    return setmetatable({}, { __index = loop, __len = loop, __pairs = loop })
  end,
}
