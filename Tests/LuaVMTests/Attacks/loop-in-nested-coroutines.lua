-- expect: cpuLimit
return {
  api = 1, name = "loop-in-nested-coroutines", version = "1.0.0",
  fetch = function(ctx)
    local function deeper(n)
      if n == 0 then while true do end end
      coroutine.wrap(deeper)(n - 1)
    end
    deeper(50)
  end,
}
