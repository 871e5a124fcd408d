import FetchModel
import FetchValues

/// The code of a new plugin, and a recording on which the code succeeds.
struct PluginTemplate {
  var text: String
  var recording: Recording
}

/// The kind of source that a new plugin reads: a feed, a list in JSON, the files of a folder, or a
/// web page.
package enum PluginKind: String, CaseIterable, Sendable {
  case rss, json, files, page

  func template(named name: String) -> PluginTemplate {
    switch self {
    case .rss: .rss(name)
    case .json: .json(name)
    case .files: .files(name)
    case .page: .page(name)
    }
  }

  /// The command-line arguments for a run of the new plugin on real data.
  var arguments: String {
    switch self {
    case .rss, .json, .page: "--option url=ADDRESS"
    case .files: "--option folder=$PWD/FOLDER --allow-read FOLDER"
    }
  }
}

extension PluginTemplate {
  /// Creates a template with one request that is answered with `body`.
  init(
    _ text: String, url: String, type: String, file: String, body: String
  ) {
    self.text = text
    var answer = RecordedAnswer(status: 200)
    answer.headers = [HTTPField("Content-Type", type)]
    answer.body = RecordedBody(Array(body.utf8), file: "answers/\(file)")
    recording = Recording()
    recording.options = ValueObject([("url", .string(url))])
    recording.runs = [RecordedRun(requests: [RecordedRequest(url: url, end: .answer(answer))])]
  }
}

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

extension PluginTemplate {
  static func files(_ name: String) -> PluginTemplate {
    var recording = Recording()
    if let folder = try? FilePath("notes"), let lamp = try? FilePath("notes/lamp.txt"),
      let ferry = try? FilePath("notes/2026/ferry.txt")
    {
      recording.options = ValueObject([
        ("folder", .string("\(Recording.casePlaceholder)/\(folder.text)"))
      ])
      recording.readPaths = [folder]
      recording.readableFiles = [
        RecordedFile(ferry, Array("The new timetable.\n".utf8)),
        RecordedFile(lamp, Array("Buy one for the lighthouse.\n".utf8)),
      ]
    }
    recording.runs = [RecordedRun()]
    return PluginTemplate(text: files(named: name), recording: recording)
  }

  private static func files(named name: String) -> String {
    #"""
    -- Describe in one sentence what the plugin fetches.
    local files = require "files"

    ---@type fetchrun.Plugin
    local plugin = {
      api = 1,
      name = "\#(name)",
      version = "0.1.0",
      description = "files of a folder",
      options = {
        folder = { required = true, description = "absolute path of the folder" },
      },
      -- The user grants folders: --allow-read, or allow_read in the config.
      permissions = { read = { "{options.folder}" } },
      interval = "15m",
      -- A removed file is also news.
      items = { complete = true },

      fetch = function(ctx)
        local folder, problem = files.folder(ctx.options.folder)
        if not folder then return nil, problem end
        local entries, message = folder:list { recursive = true }
        if not entries then return nil, message end

        local items = {}
        for _, entry in ipairs(entries) do
          if entry.kind == "file" then
            items[#items + 1] = {
              id = entry.path, title = entry.path, updated = entry.modified, size = entry.size,
            }
          end
        end
        return items
      end,
    }

    return plugin

    """#
  }
}

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
