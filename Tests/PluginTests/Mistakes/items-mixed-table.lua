-- expect: invalidItem: fetch returned a list with the field 'next_page'; it must return a list of items: { item, ... }
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return { { id = 1, title = "One" }, next_page = "https://example.org/2" }
  end,
}
