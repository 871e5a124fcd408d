-- expect: end-missing.lua:6: unexpected symbol near ','; by the indentation, the 'if' at line 5 has no 'end'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    if ctx.options then return {}
  end,
}
