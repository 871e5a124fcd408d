-- expect: pluginError
return {
  api = 1, name = "rep-overflow", version = "1.0.0",
  fetch = function(ctx)
    return ("xx"):rep(math.maxinteger)
  end,
}
