package import FetchModel
import FetchValues

/// A plugin that was read and successfully inspected in a worker. It may also be a stand-in for a
/// plugin whose file does not load (`loadFailure`), so that the plugin's job can be scheduled and
/// fail.
///
/// A value takes three machine words, since each of up to 10,000 jobs has a plugin. Equal plugins
/// share their content.
package struct Plugin: Equatable, Sendable {
  /// The name under which the plugin's grants are stored: the name that the user has given, or the
  /// absolute path of the plugin's file.
  package var name: String
  private let content: Content

  package var path: String { content.path }
  package var source: PluginSource { content.source }
  package var manifest: Manifest { content.manifest }
  /// Whether the plugin or a file that it requires uses the module `files` or transfers, as far as
  /// the text shows. If not, a run of the plugin may use neither.
  package var usesFiles: Bool { content.usesFiles }
  /// The permissions that the file requests.
  package var asked: AskedPermissions { content.asked }
  /// The reason why each run of the plugin fails before it begins; nil for a plugin that loads.
  package var loadFailure: Failure? { content.loadFailure }

  private final class Content: Sendable {
    let path: String
    let source: PluginSource
    let manifest: Manifest
    let usesFiles: Bool
    let asked: AskedPermissions
    let loadFailure: Failure?

    init(_ file: PluginFile, _ manifest: Manifest, _ loadFailure: Failure? = nil) {
      self.loadFailure = loadFailure
      path = file.path
      source = file.source
      self.manifest = manifest
      usesFiles = Plugin.usesFiles(file.source, manifest)
      asked = AskedPermissions(manifest, keepsFiles: usesFiles)
    }
  }

  package init(named name: String, _ file: PluginFile, _ manifest: Manifest) {
    self.name = name
    content = Content(file, manifest)
  }

  /// The interval of a stand-in if the config has none. The learned schedule is not used, since it
  /// would learn from the failures.
  private static let standInInterval: Interval = .every(.seconds(3600))

  /// Creates a stand-in for a plugin whose file does not load. `name` is the plugin's name in the
  /// config or on the command line.
  package init(standingInFor name: String, _ failure: Failure) {
    self.init(standingInFor: name, failure, functions: [])
  }

  private init(standingInFor name: String, _ failure: Failure, functions: [String]) {
    let fileName = name.lastName
    let stem = fileName.hasSuffix(".lua") ? String(fileName.dropLast(4)) : fileName
    let source = PluginSource(name: stem, fileName: stem + ".lua", text: [])
    var manifest = Manifest(name: stem, version: "")
    manifest.interval = Self.standInInterval
    manifest.functions = functions
    self.name = PluginFolders([]).identity(of: name)
    content = Content(PluginFile(path: name, source: source), manifest, failure)
  }

  /// Creates a stand-in for a hook file that does not load. `name` is the file's name in the config
  /// or on the command line.
  ///
  /// - Parameter functions: the names of the file's functions, as far as they are known.
  init(standingInForHook name: String, _ failure: Failure, functions: [String]) {
    self.init(standingInFor: name, failure, functions: functions)
  }

  /// Whether the plugins are equal. The fields that are not compared follow from the other fields.
  package static func == (left: Plugin, right: Plugin) -> Bool {
    left.name == right.name
      && (left.content === right.content
        || left.path == right.path && left.source == right.source
          && left.manifest == right.manifest
          && left.loadFailure == right.loadFailure)
  }

  private static func usesFiles(_ source: PluginSource, _ manifest: Manifest) -> Bool {
    // A hook file cannot use files, whatever its text contains.
    if manifest.functions.contains(where: HookFunction.names.contains) { return false }
    return manifest.functions.contains(Manifest.transferEntry)
      || ([source.text] + source.libraries.map(\.text)).contains { text in
        RequiredNames.of(text).contains("files") || asksForTransfers(text)
      }
  }

  /// Whether the text has `transfer` after a colon, a dot or a quote. The name before it is not
  /// checked, since the plugin may give `ctx` another name. The search of the standard library
  /// takes 30 times as long, at each start.
  private static func asksForTransfers(_ text: [UInt8]) -> Bool {
    let word = Array("transfer".utf8), marks = Array(":.\"'".utf8)
    return text.indices.dropFirst().contains { index in
      text[index] == word[0] && marks.contains(text[index - 1])
        && text[index...].starts(with: word)
    }
  }
}

/// A plugin's file with the Lua files that it requires.
package struct PluginFile: Equatable, Sendable {
  /// The path at which the file was found, for messages, such as `plugins/reuters.lua`.
  package var path: String
  package var source: PluginSource
}
