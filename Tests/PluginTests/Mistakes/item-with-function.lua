-- expect: item-with-function.lua:6: invalidValue: render: a function cannot be sent
-- expect: item-with-function.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    ctx:emit { id = 1, render = function() end }
  end,
}
