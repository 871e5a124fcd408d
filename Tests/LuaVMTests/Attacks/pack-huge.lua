-- expect: pluginError memoryLimit
return {
  api = 1, name = "pack-huge", version = "1.0.0",
  fetch = function(ctx)
    return string.pack("!16 " .. ("Xi16 "):rep(10000) .. "c1000000000", "x")
  end,
}
