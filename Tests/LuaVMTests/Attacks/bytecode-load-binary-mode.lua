-- expect: pluginError
return {
  api = 1, name = "bytecode-load-binary-mode", version = "1.0.0",
  fetch = function(ctx)
    return assert(load("\x1bLua\x54\0", "x", "b"))
  end,
}
