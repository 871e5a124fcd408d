-- expect: noData
return {
  api = 1, name = "no-addresses", version = "1.0.0",
  fetch = function(ctx)
    for _, value in ipairs({ {}, function() end, coroutine.create(function() end) }) do
      assert(not tostring(value):find("0x"), tostring(value))
      assert(not ("%s"):format(value):find("0x"))
    end
    assert(not pcall(string.format, "%p", {}))
    return {}
  end,
}
