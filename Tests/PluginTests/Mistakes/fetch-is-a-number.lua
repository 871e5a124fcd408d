-- expect: fetch-is-a-number.lua:4: fetch: must be a function, not an integer: fetch = function(ctx) … end
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = 5,
}
