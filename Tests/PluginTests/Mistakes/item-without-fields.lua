-- expect: invalidItem: item 1 has no fields; an item is a table such as { id = …, title = …, url = … }
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { {} }
  end,
}
