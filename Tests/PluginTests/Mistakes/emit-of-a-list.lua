-- expect: emit-of-a-list.lua:6: invalidItem: emit needs one item, got a table with list entries; emit the items of a list one by one
-- expect: emit-of-a-list.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    ctx:emit { { id = 1 }, { id = 2 } }
  end,
}
