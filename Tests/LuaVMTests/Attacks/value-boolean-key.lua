-- expect: invalidValue
return {
  api = 1, name = "value-boolean-key", version = "1.0.0",
  fetch = function(ctx)
    return { { [true] = 1 } }
  end,
}
