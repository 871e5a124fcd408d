-- expect: invalidValue
return {
  api = 1, name = "value-key-not-utf8", version = "1.0.0",
  fetch = function(ctx)
    return { { ["\xff"] = 1 } }
  end,
}
