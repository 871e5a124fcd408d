-- expect: invalidValue
return {
  api = 1, name = "value-holes", version = "1.0.0",
  fetch = function(ctx)
    return { 1, nil, nil, 4 }
  end,
}
