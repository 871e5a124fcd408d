-- expect: text-unfinished.lua:3: unfinished string near '"1.0.0,'; end the string on the same line, with the quote that begins it
return {
  api = 1, name = "probe", version = "1.0.0,
  fetch = function(ctx) end,
}
