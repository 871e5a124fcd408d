-- expect: cpuLimit
return {
  api = 1, name = "char-flood", version = "1.0.0",
  fetch = function(ctx)
    while true do string.char(65, 66, 67) end
  end,
}
