-- News by Reuters: title, date and link of each story, on top of the rss plugin.
-- There is no default address: Reuters ended its public feeds in June 2020, and no later feed of
-- its site or its agency is documented.
local rss = require "rss"

return {
  api = 1, name = "reuters", version = "1.1.0",
  description = "Reuters news: title, date and link",
  options = {
    url = {
      type = "url", required = true, example = "https://bridge.example.org/reuters.atom",
      description = "address of a feed of Reuters news, such as one of your agency account or of your"
        .. " own RSS-Bridge or RSSHub; Reuters ended its public feeds in 2020",
    },
  },
  permissions = { http = { "{options.url}" } },
  wake_on = "{options.url}",
  interval = "15m",

  fetch = function(ctx)
    local news, problem = rss.fetch(ctx)
    if not news then return nil, problem end
    for i, story in ipairs(news) do
      news[i] = { id = story.id, title = story.title, published = story.published, url = story.url }
    end
    return news
  end,
}
