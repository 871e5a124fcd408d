-- expect: cpuLimit
return {
  api = 1, name = "loop-in-nested-pcall", version = "1.0.0",
  fetch = function(ctx)
    local function deeper(n)
      if n == 0 then while true do end end
      pcall(deeper, n - 1)
      while true do end
    end
    deeper(100)
  end,
}
