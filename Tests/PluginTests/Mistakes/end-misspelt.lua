-- expect: end-misspelt.lua:7: 'end' expected (to close 'if' at line 5) near 'edn'; unknown word 'edn': did you mean `end`?
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    if ctx.state.seen then
      return {}
    edn
    return {}
  end,
}
