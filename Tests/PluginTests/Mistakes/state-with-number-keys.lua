-- expect: invalidValue: ctx.state: seen: a list with holes cannot be sent; use json.null for missing values, or strings as keys
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    ctx.state.seen = { [1001] = true, [1002] = true }
  end,
}
