-- expect: item-title-is-a-table.lua:5: invalidItem: item 1 'title': string expected, got table
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { { id = 1, title = { en = "One" } } }
  end,
}
