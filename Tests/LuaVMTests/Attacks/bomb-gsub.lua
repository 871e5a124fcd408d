-- expect: memoryLimit
return {
  api = 1, name = "bomb-gsub", version = "1.0.0",
  fetch = function(ctx)
    local s = ("x"):rep(1000000)
    return (s:gsub(".", s))
  end,
}
