-- expect: else-if.lua:10: unexpected symbol near ','; line 7 has 'else if': did you mean elseif?
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    if ctx.job == "a" then
      return { { id = "a" } }
    else if ctx.job == "b" then
      return { { id = "b" } }
    end
  end,
}
