-- expect: then-misspelt.lua:5: 'then' expected near 'thne'; unknown word 'thne': did you mean `then`?
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    if ctx.state.seen thne
      return {}
    end
    return {}
  end,
}
