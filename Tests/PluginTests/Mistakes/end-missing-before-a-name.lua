-- expect: end-missing-before-a-name.lua:8: 'end' expected (to close 'function' at line 6) near 'send'
function send(x) return x end

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    return {}
    send(2)
  end,
}
