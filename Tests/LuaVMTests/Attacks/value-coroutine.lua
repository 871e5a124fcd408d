-- expect: invalidValue
return {
  api = 1, name = "value-coroutine", version = "1.0.0",
  fetch = function(ctx)
    return { coroutine.create(function() end) }
  end,
}
