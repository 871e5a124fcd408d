-- expect: manifest-key-misspelt.lua:4: permisions: unknown key (did you mean 'permissions'?)
return {
  api = 1, name = "probe", version = "1.0.0",
  permisions = { http = { "example.org" } },
  fetch = function(ctx) end,
}
