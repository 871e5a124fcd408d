-- expect: invalidValue
return {
  api = 1, name = "value-table-key", version = "1.0.0",
  fetch = function(ctx)
    return { { [{}] = 1 } }
  end,
}
