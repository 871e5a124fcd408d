-- expect: invalidValue
return {
  api = 1, name = "value-function", version = "1.0.0",
  fetch = function(ctx)
    return { function() end }
  end,
}
