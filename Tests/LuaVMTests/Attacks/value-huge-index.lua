-- expect: invalidValue
return {
  api = 1, name = "value-huge-index", version = "1.0.0",
  fetch = function(ctx)
    return { [math.maxinteger] = 1 }
  end,
}
