-- expect: invalidItem: fetch returned a table with named fields; it must return a list of items: { item, ... }
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { id = 1, title = "One" }
  end,
}
