-- expect: pluginError
return {
  api = 1, name = "error-name-not-utf8", version = "1.0.0",
  fetch = function(ctx)
    local t = { ["\xff\xfe"] = function() error("inside") end }
    t["\xff\xfe"]()
  end,
}
