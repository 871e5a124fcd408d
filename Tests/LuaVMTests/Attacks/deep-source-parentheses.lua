-- expect: pluginError
return {
  api = 1, name = "deep-source-parentheses", version = "1.0.0",
  fetch = function(ctx)
    return assert(load("return " .. ("("):rep(100000) .. (")"):rep(100000)))
  end,
}
