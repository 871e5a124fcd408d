-- expect: memoryLimit
return {
  api = 1, name = "bomb-caught-for-ever", version = "1.0.0",
  fetch = function(ctx)
    while true do pcall(string.rep, "x", 1 << 40) local s = ("x"):rep(1 << 23) s = s .. s .. s end
  end,
}
