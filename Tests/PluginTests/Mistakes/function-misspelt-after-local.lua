-- expect: function-misspelt-after-local.lua:2: <eof> expected near 'end'; unknown word 'funtcion': did you mean `function`?
local funtcion ships()
  return {}
end

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = ships,
}
