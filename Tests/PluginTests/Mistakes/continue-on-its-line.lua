-- expect: continue-on-its-line.lua:8: syntax error near 'end'; Lua has no continue; put the rest of the loop into an if
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local items = {}
    for i = 1, 3 do
      if i == 2 then
        continue
      end
      items[i] = { id = i }
    end
    return items
  end,
}
