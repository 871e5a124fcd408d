-- expect: block-open-at-the-end.lua:10: 'end' expected (to close 'function' at line 2) near <eof>; an 'end' is missing at or before this line
local function twice(x)
  if x then
    return x
  end

return {
  api = 1, name = "probe", version = "1.0.0", fetch = function(ctx) return {} end,
}
