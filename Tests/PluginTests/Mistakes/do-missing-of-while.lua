-- expect: do-missing-of-while.lua:9: 'do' expected near 'number'; the 'while' at line 7 has no 'do' before this place
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local number = 0
    for i = 1, 2 do number = i end
    while number < 10

      number = number + 1
    end
    return {}
  end,
}
