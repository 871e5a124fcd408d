-- expect: cpuLimit
return {
  api = 1, name = "loop-in-xpcall-handler-of-handler", version = "1.0.0",
  fetch = function(ctx)
    while true do
      xpcall(error, function() error("again") end)
    end
  end,
}
