-- expect: text-unfinished.lua:3: unfinished string near '"1.0.0,'; end the string with " on the same line
return {
  api = 1, name = "probe", version = "1.0.0,
  fetch = function(ctx) end,
}
