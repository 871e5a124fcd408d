-- expect: function-misspelt-as-a-field.lua:4: '}' expected (to close '{' at line 2) near 'local'; unknown word 'funtcion': did you mean `function`?
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = funtcion(ctx)
    local ships = {}
    return ships
  end,
}
