extension PluginTemplate {
  static func rss(_ name: String) -> PluginTemplate {
    PluginTemplate(
      #"""
      -- Describe in one sentence what the plugin fetches.
      local http, feed = require "http", require "feed"

      ---@type fetchrun.Plugin
      local plugin = {
        api = 1,
        name = "\#(name)",
        version = "0.1.0",
        description = "entries of a feed",
        options = {
          url = { type = "url", required = true, description = "address of the feed" },
        },
        permissions = { http = { "{options.url}" } },
        wake_on = "{options.url}",
        interval = "adaptive",

        fetch = function(ctx)
          local response, problem = http.get(ctx.options.url)
          if not response then return nil, problem end
          local items, message = feed.parse(response)
          if not items then return nil, message end
          for _, item in ipairs(items) do
            -- Change the item here if needed.
            item.summary = nil
          end
          -- To keep only some of them:
          -- local wanted = {}
          -- for _, item in ipairs(items) do
          --   if item.title and item.title:lower():find("ferry", 1, true) then
          --     wanted[#wanted + 1] = item
          --   end
          -- end
          -- return wanted
          return items
        end,
      }

      return plugin

      """#,
      url: "https://example.org/feed.xml", type: "application/rss+xml", file: "feed.xml",
      body: """
        <?xml version="1.0" encoding="utf-8"?>
        <rss version="2.0">
          <channel>
            <title>Harbour news</title>
            <item>
              <title>Lighthouse reopens</title>
              <link>https://example.org/lighthouse</link>
              <guid>harbour-2</guid>
              <pubDate>Fri, 20 Nov 2026 08:00:00 GMT</pubDate>
              <description>After two years.</description>
            </item>
            <item>
              <title>Ferry timetable changes</title>
              <link>https://example.org/ferry</link>
              <guid>harbour-1</guid>
              <pubDate>Thu, 19 Nov 2026 08:00:00 GMT</pubDate>
            </item>
          </channel>
        </rss>

        """)
  }

  static func json(_ name: String) -> PluginTemplate {
    PluginTemplate(
      #"""
      -- Describe in one sentence what the plugin fetches.
      local http = require "http"

      ---@type fetchrun.Plugin
      local plugin = {
        api = 1,
        name = "\#(name)",
        version = "0.1.0",
        description = "entries of a list in JSON",
        options = {
          url = { type = "url", required = true, description = "address of the list" },
        },
        permissions = { http = { "{options.url}" } },
        wake_on = "{options.url}",
        interval = "adaptive",

        fetch = function(ctx)
          local response, problem = http.get(ctx.options.url)
          if not response then return nil, problem end
          if response.not_modified then return end

          -- Return all items: the host compares them and finds the new ones.
          local items = {}
          -- A link belongs in the field url; resolve a relative one with require "url":
          -- url = url.resolve(response.url, ship.link)
          for i, ship in ipairs(response:json().ships) do
            items[i] = {
              id = ship.imo, title = ship.name, published = ship.arrived, berth = ship.berth,
            }
          end
          return items
        end,
      }

      return plugin

      """#,
      url: "https://api.example.org/ships", type: "application/json", file: "ships.json",
      body: """
        {
          "ships": [
            { "imo": 9074729, "name": "Aurora", "arrived": "2026-11-20T06:10:00Z", "berth": "C3" },
            { "imo": 9839179, "name": "Meridian", "arrived": "2026-11-19T21:40:00Z", "berth": "A1" }
          ]
        }

        """)
  }
}
