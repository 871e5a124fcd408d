-- expect: then-missing.lua:8: 'then' expected near 'return'; the 'if' at line 5 has no 'then' before this place
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    if ctx.state.seen
      and (function(x) if x then return true end end)(1)

      return {}
    end
    return {}
  end,
}
