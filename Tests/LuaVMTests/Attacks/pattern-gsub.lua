-- expect: cpuLimit
return {
  api = 1, name = "pattern-gsub", version = "1.0.0",
  fetch = function(ctx)
    return (("a"):rep(30000)):gsub(".-.-.-b", "")
  end,
}
