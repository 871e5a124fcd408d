-- expect: return-misspelt.lua:6: syntax error near 'nil'; unknown word 'retrun': did you mean `return`?
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    if ctx.options.url then
      retrun nil, "no address"
    end
    return {}
  end,
}
