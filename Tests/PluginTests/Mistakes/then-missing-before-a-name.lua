-- expect: then-missing-before-a-name.lua:6: 'then' expected near 'when'; the 'if' at line 6 has no 'then' before this place
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local when = 1
    if ctx.state.seen when = 2 end
    return {}
  end,
}
