-- expect: memoryLimit
return {
  api = 1, name = "bomb-doubling", version = "1.0.0",
  fetch = function(ctx)
    local s = "x"
    while true do s = s .. s end
  end,
}
