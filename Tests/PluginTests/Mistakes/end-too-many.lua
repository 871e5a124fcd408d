-- expect: end-too-many.lua:9: '}' expected (to close '{' at line 2) near 'end'; is there one 'end' too many, here or above?
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    if ctx.job then
      return {}
    end
    end
  end,
}
