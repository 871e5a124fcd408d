package import FetchModel
import FetchValues

/// A plugin that was read and successfully inspected in a worker; or a stand-in for one whose file
/// does not load (`loadFailure`), so that its job can be scheduled and fail.
///
/// Its size is three words, since each of up to 10,000 jobs has one: they share the content.
package struct Plugin: Equatable, Sendable {
  /// The name under which its grants are stored: the user's name for it, or its absolute path.
  package var name: String
  private let content: Content

  package var path: String { content.path }
  package var source: PluginSource { content.source }
  package var manifest: Manifest { content.manifest }
  /// Whether it or a file that it requires uses the module `files` or transfers, as far as its text
  /// shows. A run of a plugin that does not gets neither.
  package var usesFiles: Bool { content.usesFiles }
  /// The permissions that the file requests.
  package var asked: AskedPermissions { content.asked }
  /// The reason why each run of it fails before it begins; nil for a plugin that loads.
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

  /// The interval of a stand-in if the config has none. It is not the learned schedule, which would
  /// learn from the failures.
  private static let standInInterval: Interval = .every(.seconds(3600))

  /// Creates a stand-in for a plugin whose file does not load, with the user's name for it.
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

  /// Creates a stand-in for a hook file that does not load, with the user's name for it.
  ///
  /// - Parameter functions: the functions of the file, as far as they are known.
  init(standingInForHook name: String, _ failure: Failure, functions: [String]) {
    self.init(standingInFor: name, failure, functions: functions)
  }

  /// Compares the plugins; the omitted fields follow from the others.
  package static func == (left: Plugin, right: Plugin) -> Bool {
    left.name == right.name
      && (left.content === right.content
        || left.path == right.path && left.source == right.source
          && left.manifest == right.manifest
          && left.loadFailure == right.loadFailure)
  }

  private static func usesFiles(_ source: PluginSource, _ manifest: Manifest) -> Bool {
    // A hook file gets no files, whatever it requests.
    if manifest.functions.contains(where: HookFunction.names.contains) { return false }
    return manifest.functions.contains(Manifest.transferEntry)
      || ([source.text] + source.libraries.map(\.text)).contains { text in
        RequiredNames.of(text).contains("files") || asksForTransfers(text)
      }
  }

  /// Whether `transfer` follows a colon, a dot or a quote: the plugin may give `ctx` another name.
  /// The standard search for a subsequence takes 30 times as long, at each start.
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
  /// The path as found, for messages: `plugins/reuters.lua`.
  package var path: String
  package var source: PluginSource
}
