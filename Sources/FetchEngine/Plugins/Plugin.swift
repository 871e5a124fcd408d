package import FetchModel
import FetchValues

/// A plugin that was read, inspected in a worker and found right; or a stand-in for one whose file
/// does not load (`loadFailure`), so that its job can be scheduled and fail.
///
/// Three words, since each of what may be 10,000 jobs has one: what was read they share.
package struct Plugin: Equatable, Sendable {
  /// What its grants belong to: the name by which the user named it, or its path from the root on.
  package var name: String
  private let content: Content

  package var path: String { content.path }
  package var source: PluginSource { content.source }
  package var manifest: Manifest { content.manifest }
  /// Whether it, or what it is built upon, asks for the module `files` or for transfers, as far as
  /// its text tells; a run of one that does not is given neither.
  package var usesFiles: Bool { content.usesFiles }
  /// What the file asks for, by its own words.
  package var asked: AskedPermissions { content.asked }
  /// Why each run of it fails before it begins; nil for a plugin that loads.
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

  /// The interval of a stand-in where the config has none. Not the learned schedule, which would
  /// learn from its failures.
  private static let standInInterval: Interval = .every(.seconds(3600))

  /// A stand-in for the plugin that a user names, whose file does not load.
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

  /// A stand-in for the hook file that a user names, which does not load.
  ///
  /// - Parameter functions: those that the file has as far as is known.
  init(standingInForHook name: String, _ failure: Failure, functions: [String]) {
    self.init(standingInFor: name, failure, functions: functions)
  }

  /// What is left out follows from the rest.
  package static func == (left: Plugin, right: Plugin) -> Bool {
    left.name == right.name
      && (left.content === right.content
        || left.path == right.path && left.source == right.source
          && left.manifest == right.manifest
          && left.loadFailure == right.loadFailure)
  }

  private static func usesFiles(_ source: PluginSource, _ manifest: Manifest) -> Bool {
    // A hook file is given no files, whatever it asks for.
    if manifest.functions.contains(where: HookFunction.names.contains) { return false }
    return manifest.functions.contains(Manifest.transferEntry)
      || ([source.text] + source.libraries.map(\.text)).contains { text in
        RequiredNames.of(text).contains("files") || asksForTransfers(text)
      }
  }

  /// Whether `transfer` stands behind a colon, a dot or a quote: whatever the plugin calls its `ctx`.
  /// The standard search for a part of a collection takes 30 times as long, at each start.
  private static func asksForTransfers(_ text: [UInt8]) -> Bool {
    let word = Array("transfer".utf8), marks = Array(":.\"'".utf8)
    return text.indices.dropFirst().contains { index in
      text[index] == word[0] && marks.contains(text[index - 1])
        && text[index...].starts(with: word)
    }
  }
}

/// A plugin's file as it was read, with the Lua files that it requires.
package struct PluginFile: Equatable, Sendable {
  /// As found, for messages: `plugins/reuters.lua`.
  package var path: String
  package var source: PluginSource
}
