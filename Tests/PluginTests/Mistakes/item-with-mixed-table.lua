-- expect: invalidValue: item 1: numbers: a table with both list and named entries cannot be sent
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { { id = 1, numbers = { 1, 2, 3, total = 6 } } }
  end,
}
