-- expect: invalidValue
return {
  api = 1, name = "value-nan", version = "1.0.0",
  fetch = function(ctx)
    return { 0 / 0 }
  end,
}
