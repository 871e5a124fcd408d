-- expect: pluginError
return {
  api = 1, name = "no-undefined-global", version = "1.0.0",
  fetch = function(ctx)
    return undefined_name
  end,
}
