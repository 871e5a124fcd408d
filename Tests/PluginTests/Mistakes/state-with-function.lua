-- expect: invalidValue: ctx.state: parse: a function cannot be sent
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    ctx.state.parse = function() end
  end,
}
