-- expect: noData
return {
  api = 1, name = "string-metatable", version = "1.0.0",
  fetch = function(ctx)
    assert(not getmetatable(""))
    assert(not pcall(setmetatable, "", {}))
    string.rep = nil
    assert(not pcall(function() return ("x"):rep(2) end))
    return {}
  end,
}
