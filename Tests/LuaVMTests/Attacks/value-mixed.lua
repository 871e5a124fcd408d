-- expect: invalidValue
return {
  api = 1, name = "value-mixed", version = "1.0.0",
  fetch = function(ctx)
    return { { 1, 2, name = "x" } }
  end,
}
