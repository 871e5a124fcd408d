-- expect: invalidValue: ctx.state must be a table, got a number
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    ctx.state = 3
  end,
}
