-- expect: invalidValue
return {
  api = 1, name = "value-cyclic", version = "1.0.0",
  fetch = function(ctx)
    local t = {}
    t.self = t
    return { t }
  end,
}
