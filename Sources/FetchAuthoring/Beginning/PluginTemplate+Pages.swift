extension PluginTemplate {
  static func page(_ name: String) -> PluginTemplate {
    PluginTemplate(
      #"""
      -- Describe in one sentence what the plugin fetches.
      local http, html, url = require "http", require "html", require "url"

      ---@type fetchrun.Plugin
      local plugin = {
        api = 1,
        name = "\#(name)",
        version = "0.1.0",
        description = "links of a page",
        options = {
          url = { type = "url", required = true, description = "address of the page" },
          select = { default = "article h2 a", description = "CSS selector of the links" },
        },
        permissions = { http = { "{options.url}" } },
        wake_on = "{options.url}",
        interval = "1h",

        fetch = function(ctx)
          local response, problem = http.get(ctx.options.url)
          if not response then return nil, problem end
          if response.not_modified or response.same_body then return end

          local page = assert(html.parse(response))
          local items = {}
          for i, link in ipairs(page:css(ctx.options.select)) do
            items[i] = {
              url = url.resolve(response.url, link:attr("href") or ""), title = link:text(),
            }
          end
          -- For a table instead (header rows have no td):
          -- for _, row in ipairs(page:css("table tr")) do
          --   local cells = row:css("td")
          --   if #cells >= 2 then
          --     local name, price = cells[1]:text(), cells[2]:text()
          --     items[#items + 1] = { id = name, title = name, price = price }
          --   end
          -- end
          if #items == 0 then
            return nil, "nothing matches '" .. ctx.options.select .. "': change the option 'select'"
          end
          return items
        end,
      }

      return plugin

      """#,
      url: "https://example.org/news", type: "text/html; charset=utf-8", file: "news.html",
      body: """
        <!DOCTYPE html>
        <title>Harbour news</title>
        <main>
          <article><h2><a href="/lighthouse">Lighthouse reopens</a></h2><p>After two years.</p></article>
          <article><h2><a href="/ferry">Ferry timetable changes</a></h2></article>
        </main>

        """)
  }
}
