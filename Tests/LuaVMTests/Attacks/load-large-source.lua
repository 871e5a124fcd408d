-- expect: cpuLimit memoryLimit pluginError
return {
  api = 1, name = "load-large-source", version = "1.0.0",
  fetch = function(ctx)
    local text = ("local a = 1; "):rep(100000)
    while true do load(text) end
  end,
}
