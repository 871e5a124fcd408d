-- News by Reuters: title, date and link of each story, on top of the rss plugin.
local rss = require "rss"

return {
  api = 1, name = "reuters", version = "1.0.0",
  description = "Reuters news: title, date and link",
  options = { url = { type = "url", default = "https://www.reutersagency.com/feed/" } },
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
