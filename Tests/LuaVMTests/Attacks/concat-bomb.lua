-- expect: memoryLimit
return {
  api = 1, name = "concat-bomb", version = "1.0.0",
  fetch = function(ctx)
    local s = ("x"):rep(100000)
    local t = {}
    for i = 1, 1000 do t[i] = s end
    return table.concat(t)
  end,
}
