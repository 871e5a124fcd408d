-- One table of a thousand `true`, named many times: small in Lua and on the wire, and forty times as
-- large in the host. With `places = { "item" }` it is in an item, with "state" in the state.
return {
  api = 1, name = "shared-table", version = "1.0.0",
  options = {
    references = { type = "integer", required = true },
    places = { type = "list", default = { "item" } },
  },

  fetch = function(ctx)
    local shared, list = {}, {}
    for i = 1, 1000 do shared[i] = true end
    for i = 1, ctx.options.references do list[i] = shared end
    for _, place in ipairs(ctx.options.places) do
      if place == "state" then ctx.state.list = list end
      if place == "item" then ctx:emit({ id = "x", list = list }) end
    end
  end,
}
