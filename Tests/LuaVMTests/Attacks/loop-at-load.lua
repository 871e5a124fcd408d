-- expect: cpuLimit
while true do end
return {
  api = 1, name = "loop-at-load", version = "1.0.0",
  fetch = function(ctx)
    return {}
  end,
}
