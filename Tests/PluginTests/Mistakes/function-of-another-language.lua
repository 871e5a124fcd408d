-- expect: function-of-another-language.lua:2: syntax error near 'ships'; unknown word 'def': did you mean `function`?
def ships()
  return {}
end

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = ships,
}
