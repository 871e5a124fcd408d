-- expect: list-read-from-zero.lua:7: pluginError: names[0] is nil: lists begin at 1
-- expect: list-read-from-zero.lua:7: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local names = { "a", "b" }
    return { { id = names[0]:upper() } }
  end,
}
