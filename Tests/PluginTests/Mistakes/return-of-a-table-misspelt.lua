-- expect: return-of-a-table-misspelt.lua:2: undefined global 'retrun': did you mean 'return'?
retrun {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx) return {} end,
}
