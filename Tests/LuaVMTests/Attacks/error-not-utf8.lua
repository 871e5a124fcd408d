-- expect: pluginError
return {
  api = 1, name = "error-not-utf8", version = "1.0.0",
  fetch = function(ctx)
    error("\xff\xfe \xed\xa0\x80")
  end,
}
