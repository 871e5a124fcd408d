-- expect: question-mark.lua:5: unexpected symbol near '?'; Lua has no operator ? : (write `CONDITION and VALUE or OTHER`)
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local title = ctx.job == "a" ? "one" : "two"
    return { { id = "1", title = title } }
  end,
}
