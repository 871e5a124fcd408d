-- expect: pluginError
return {
  api = 1, name = "deep-source-functions", version = "1.0.0",
  fetch = function(ctx)
    return assert(load(("function f() "):rep(100000)))
  end,
}
