-- expect: two-names-in-a-row.lua:6: syntax error near 'bar'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local foo, bar = "a name that is near the word for", ctx
    foo bar
    return {}
  end,
}
