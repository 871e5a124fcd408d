-- expect: function-misspelt.lua:2: syntax error near 'ships'; unknown word 'funtcion': did you mean `function`?
funtcion ships()
  return {}
end

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = ships,
}
