-- expect: cpuLimit
return {
  api = 1, name = "loop-in-load-text", version = "1.0.0",
  fetch = function(ctx)
    load("while true do end")()
  end,
}
