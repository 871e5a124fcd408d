-- expect: plus-plus.lua:6: syntax error near '+'; Lua has no ++; write count = count + 1
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local count = 0
    count++
    return { { id = count } }
  end,
}
