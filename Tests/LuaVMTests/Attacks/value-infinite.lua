-- expect: invalidValue
return {
  api = 1, name = "value-infinite", version = "1.0.0",
  fetch = function(ctx)
    return { math.huge }
  end,
}
