-- expect: invalidValue
return {
  api = 1, name = "value-float-key", version = "1.0.0",
  fetch = function(ctx)
    return { { [1.5] = 1 } }
  end,
}
