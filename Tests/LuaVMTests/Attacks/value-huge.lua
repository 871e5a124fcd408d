-- expect: resultLimit memoryLimit
return {
  api = 1, name = "value-huge", version = "1.0.0",
  fetch = function(ctx)
    return { ("x"):rep(5000000) }
  end,
}
