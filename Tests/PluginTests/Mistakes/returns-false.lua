-- expect: invalidItem: fetch returned a boolean; it must return a list of items, nothing, or nil and a message
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return ctx.trigger == "schedule" and {}
  end,
}
