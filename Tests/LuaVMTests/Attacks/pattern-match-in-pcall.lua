-- expect: cpuLimit
return {
  api = 1, name = "pattern-match-in-pcall", version = "1.0.0",
  fetch = function(ctx)
    while true do
      pcall(string.match, ("a"):rep(30000), ".-.-.-.-b")
    end
  end,
}
