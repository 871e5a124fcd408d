-- expect: invalidValue: item 1: self: a table that contains itself cannot be sent
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local item = { id = 1 }
    item.self = item
    return { item }
  end,
}
