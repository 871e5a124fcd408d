-- expect: do-missing-of-for.lua:7: 'do' expected near 'ctx'; the 'for' at line 5 has no 'do' before this place
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    for number = 1, 10
      -- One item for each number.
      ctx:emit { id = number }
    end
  end,
}
