-- expect: pluginError
return {
  api = 1, name = "deep-source-concat", version = "1.0.0",
  fetch = function(ctx)
    return assert(load("return 'x'" .. (" .. 'x'"):rep(100000)))
  end,
}
