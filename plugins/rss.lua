-- RSS, Atom and JSON Feed: every entry of a feed is an item.
local http, feed = require "http", require "feed"

return {
  api = 1,
  name = "rss",
  version = "1.0.0",
  description = "RSS, Atom and JSON Feed",
  options = {
    url = {
      type = "url", required = true, description = "address of the feed",
      example = "https://www.swift.org/atom.xml",
    },
  },
  permissions = { http = { "{options.url}" } },
  wake_on = "{options.url}",
  -- WordPress adds the number of comments to each post.
  items = { ignore = { "comments_count" } },
  interval = "adaptive",

  fetch = function(ctx)
    local response, problem = http.get(ctx.options.url)
    if not response then return nil, problem end
    return feed.parse(response)
  end,
}
