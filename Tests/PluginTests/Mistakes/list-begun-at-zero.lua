-- expect: invalidItem: fetch returned a list with an entry 0; lists begin at 1
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local items = {}
    items[0] = { id = "a" }
    items[1] = { id = "b" }
    return items
  end,
}
