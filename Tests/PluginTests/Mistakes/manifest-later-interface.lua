-- expect: manifest-later-interface.lua:3: api: this fetchrun supports plugin interface 1, but the file needs 2
return {
  api = 2, name = "probe", version = "1.0.0",
  fetch = function(ctx) end,
}
