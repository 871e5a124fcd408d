-- expect: invalidValue: item 1: mean: a number that is not finite cannot be sent
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { { id = 1, title = "Mean", mean = 0 / 0 } }
  end,
}
