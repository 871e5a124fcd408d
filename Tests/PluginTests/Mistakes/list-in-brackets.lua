-- expect: list-in-brackets.lua:5: unexpected symbol near '['; a list is written { … }, not [ … ]
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local items = []
    return items
  end,
}
