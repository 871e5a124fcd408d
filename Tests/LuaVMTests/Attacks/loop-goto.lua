-- expect: cpuLimit
return {
  api = 1, name = "loop-goto", version = "1.0.0",
  fetch = function(ctx)
    ::again::
    goto again
  end,
}
