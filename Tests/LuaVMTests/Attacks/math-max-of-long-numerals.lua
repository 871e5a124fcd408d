-- expect: cpuLimit memoryLimit
return {
  api = 1,
  name = "attack",
  version = "1.0.0",
  fetch = function()
    local numeral = ("1"):rep(4000000)
    local many = {}
    for i = 1, 7000 do many[i] = numeral end
    for _ = 1, 1000 do math.max(table.unpack(many)) end
  end,
}
