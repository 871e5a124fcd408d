-- expect: nil-index.lua:5: pluginError: feed.items is nil: feed has no field 'items' (it has entries)
-- expect: nil-index.lua:5: in function 'first_title'
-- expect: nil-index.lua:11: in function 'fetch'
local function first_title(feed)
  return feed.items[1].title
end

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local title = first_title { entries = {} }
    return { { title = title } }
  end,
}
