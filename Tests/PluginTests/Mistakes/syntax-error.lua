-- expect: syntax-error.lua:5: unexpected symbol near '='
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local x = = 1
  end,
}
