-- expect: noData
return {
  api = 1, name = "globals-metatable", version = "1.0.0",
  fetch = function(ctx)
    assert(getmetatable(_G) == false)
    assert(not pcall(setmetatable, _G, {}))
    return {}
  end,
}
