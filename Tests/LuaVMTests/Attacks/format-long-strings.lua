-- expect: memoryLimit
return {
  api = 1, name = "format-long-strings", version = "1.0.0",
  fetch = function(ctx)
    local s = ("x"):rep(1000000)
    return (("%s"):rep(200)):format(table.unpack((function()
      local t = {}
      for i = 1, 200 do t[i] = s end
      return t
    end)()))
  end,
}
