import FetchConfig
import FetchEngine
import FetchModel
import FetchValues

/// The files of a new hook: the code of the hook, and stubs for editors.
package struct NewHook: Sendable {
  private let name: String
  private let folder: String

  /// Creates a new hook without writing it. `folder` has no slash at its end, unless it is `/`. An
  /// empty string or `.` means the working folder.
  package init(named name: String, in folder: String) {
    self.name = name
    self.folder = folder.isEmpty || folder == "." ? "" : folder + "/"
  }

  package var file: String { "\(folder)\(name).lua" }

  /// The path of the hook file, with at least one slash. fetchrun does not search the plugin
  /// folders for a path with a slash.
  private var path: String { file.hasSlash ? file : "./" + file }

  /// The user's next steps: commands to type, and the line that adds the hook to the config. The
  /// config may be in another folder than the working folder. The line therefore has the absolute
  /// path of the hook file, if this file exists.
  package var nextSteps: [String] {
    let configPath = YAMLText.string(FileBytes.absolute(file) ?? path)
    return [
      "fetchrun check \(ShellWord.quoted(file))",
      "fetchrun --plugin rss --option url=FEED_ADDRESS --hook \(ShellWord.quoted(path))"
        + " --hook-option url=ADDRESS",
      "in fetchrun.yaml: hooks: [{ name: \(configName), "
        + "lua: { file: \(configPath), options: { url: ADDRESS } } }]",
    ]
  }

  /// The name of the hook in the config, with `-` in place of each character that such a name
  /// cannot contain.
  private var configName: String { String(name.map { HookConfig.isName(String($0)) ? $0 : "-" }) }

  /// Writes the hook file, and the stubs that do not exist yet. If the hook file exists, throws an
  /// error and writes nothing.
  package func write() throws -> NewPlugin.Written {
    if NewFile.isThere(file) {
      throw Failure(.invalidOption, "\(file) already exists; use another name or --folder")
    }
    var written = NewPlugin.Written()
    try NewFile.write(Array(Self.text.utf8), to: file)
    written.files.append(file)
    try StubFiles.add(to: folder, &written)
    return written
  }

  private static let text = """
    local http, text = require "http", require "text"

    ---@type fetchrun.Hook
    local hook = {
      description = "posts new items",
      options = { url = { type = "url", required = true, description = "receiver's address" } },
      permissions = { http = { "{options.url}" } },
    }

    -- Called after a run with news: `changes` has the added, updated and removed items.
    -- Other functions: before_run, on_item (changes and drops items), on_no_data, on_failed and
    -- on_recovered.
    function hook.on_new_data(run, changes, ctx)
      local lines = {}
      for i, item in ipairs(changes) do
        lines[i] = item.change .. " " .. text.truncate(item.title or item.id, 60)
      end
      return http.post(ctx.options.url, {
        json = { text = text.fit(lines, 2000) },
        headers = { ["Idempotency-Key"] = run.delivery }, -- the same for each retry
      })
    end

    return hook

    """
}
