-- expect: pluginError
return {
  api = 1, name = "mode-metamethod", version = "1.0.0",
  fetch = function(ctx)
    setmetatable({}, { __mode = "k" })
  end,
}
