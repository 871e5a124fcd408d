-- expect: tail-call.lua:5: pluginError: value is nil
-- expect: tail-call.lua:5: in function <tail-call.lua:4>, by a tail call
-- expect: tail-call.lua:12: in function 'fetch'
local function inner(value)
  return value.name
end

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local function outer(value) return inner(value) end
    return { { title = outer(nil) } }
  end,
}
