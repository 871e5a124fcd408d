-- expect: invalidValue: ctx.state is a number, not a table
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    ctx.state = 3
  end,
}
