-- expect: pluginError
return {
  api = 1, name = "unpack-string-huge", version = "1.0.0",
  fetch = function(ctx)
    return string.unpack("z", ("x"):rep(1000000))
  end,
}
