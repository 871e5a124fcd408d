-- expect: io-while-loading.lua:2: undefined global 'io': there is no io library; plugins can use require "files"
local names = io.open("names.txt"):read("a")

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx) end,
}
