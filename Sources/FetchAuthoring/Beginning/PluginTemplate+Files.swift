import FetchModel
import FetchValues

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
