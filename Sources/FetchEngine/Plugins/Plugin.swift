package import FetchModel
import FetchValues

/// A plugin or hook file with its manifest. It may also be a stand-in with a `loadFailure`, for a
/// file that does not load or whose options or secrets are invalid. A job with a stand-in can be
/// scheduled, and its runs fail.
///
/// A value takes only three machine words, because each of up to 10,000 jobs has one. Copies of a
/// plugin share their content.
package struct Plugin: Equatable, Sendable {
  /// The name under which the plugin's grants are stored: the name that the user has given, or the
  /// absolute path of the plugin's file.
  package var name: String
  private let content: Content

  package var path: String { content.path }
  package var source: PluginSource { content.source }
  package var manifest: Manifest { content.manifest }
  /// Whether the plugin or a file that it requires uses the module `files` or transfers, as far as
  /// the text shows. If not, a run of the plugin may use neither the job's own folder nor
  /// transfers.
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

  /// Creates a stand-in for a plugin whose file does not load, or whose options or secrets are
  /// invalid. `name` is the plugin's name in the config or on the command line.
  package init(standingInFor name: String, _ failure: Failure) {
    self.init(standingInFor: name, failure, functions: [])
  }

  private init(standingInFor name: String, _ failure: Failure, functions: [String]) {
    let fileName = name.lastName
    let stem = fileName.hasSuffix(".lua") ? String(fileName.dropLast(4)) : fileName
    let source = PluginSource(name: stem, fileName: stem + ".lua", text: [])
    var manifest = Manifest(name: PluginName(stem), version: "")
    manifest.interval = Self.standInInterval
    manifest.functions = functions
    self.name = PluginFolders([]).identity(of: name)
    content = Content(PluginFile(path: name, source: source), manifest, failure)
  }

  /// Creates a stand-in for a hook file that does not load, or whose options or secrets are
  /// invalid. `name` is the file's name in the config or on the command line.
  ///
  /// - Parameter functions: the names of the file's functions, as far as they are known.
  init(standingInForHook name: String, _ failure: Failure, functions: [String]) {
    self.init(standingInFor: name, failure, functions: functions)
  }

  /// Whether the plugins are equal. Compares only the fields from which the other fields are
  /// derived.
  package static func == (left: Plugin, right: Plugin) -> Bool {
    left.name == right.name
      && (left.content === right.content
        || left.path == right.path && left.source == right.source
          && left.manifest == right.manifest
          && left.loadFailure == right.loadFailure)
  }

  private static func usesFiles(_ source: PluginSource, _ manifest: Manifest) -> Bool {
    // A hook file cannot use the module `files` or transfers, whatever its text contains.
    if manifest.functions.contains(where: HookFunction.names.contains) { return false }
    return manifest.functions.contains(Manifest.transferEntry)
      || ([source.text] + source.libraries.map(\.text)).contains { text in
        RequiredNames.of(text).contains("files") || asksForTransfers(text)
      }
  }

  /// Whether the text has `transfer` after a colon, a dot or a quote. The name before this
  /// character is not checked, since the plugin may give `ctx` another name.
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
  /// The path at which the file was found, such as `plugins/reuters.lua`.
  package var path: String
  package var source: PluginSource
}

/// One problem of a plugin's file: a mistake or a warning. The first line of the file has the
/// number 1.
package struct PluginProblem: Equatable, Sendable {
  package var file: String
  package var line: Int?
  /// The message: what is wrong and what to do.
  package var message: String
  /// Whether the problem is only a warning. The code works nevertheless, and the author may have
  /// written it on purpose.
  package var isWarning = false

  package init(file: String, line: Int? = nil, message: String, isWarning: Bool = false) {
    self.file = file
    self.line = line
    self.message = message
    self.isWarning = isWarning
  }
}

extension PluginProblem: CustomStringConvertible {
  package var description: String {
    (line.map { "\(file):\($0): " } ?? "\(file): ") + (isWarning ? "warning: " : "") + message
  }
}

/// The problems of a plugin's file; never empty.
package struct PluginProblems: Error, Equatable, Sendable {
  package var all: [PluginProblem]
  /// Whether the file was not inspected, because no worker process could be started or the
  /// inspection was cancelled.
  package var isOfHost = false
  /// The reason why this machine cannot run any plugin; nil if the problems have another cause.
  package var refusal: Failure?
}

extension PluginProblems: CustomStringConvertible {
  /// All problems on one line, for messages that cannot show each problem separately.
  package var description: String { all.map(\.description).joined(separator: "; ") }
}

extension PluginProblems {
  private static let listedMax = 5

  /// The failure with which the runs of the plugin's jobs fail.
  var failure: Failure {
    if all.count == 1, let first = all.first, let line = first.line {
      return Failure(.invalidPlugin, first.message, file: first.file, line: line)
    }
    var texts = all.prefix(Self.listedMax).map(\.description)
    if all.count > texts.count { texts.append("and \(all.count - texts.count) more") }
    return Failure(.invalidPlugin, texts.joined(separator: "; "))
  }
}

extension Failure {
  /// A clause which says that the job cannot run because of this failure: its plugin does not load,
  /// or its options or secrets are invalid.
  package var loadSentence: String {
    (code == .invalidOption
      ? "its options or secrets are missing or invalid" : "its plugin does not load")
      + " (\(code.rawValue)): \(message)\(place)"
  }

  /// A clause which says that the hook is not called because of this failure: its file does not
  /// load, or its options or secrets are invalid.
  package var hookLoadSentence: String {
    (code == .invalidOption
      ? "its options or secrets are missing or invalid" : "its file does not load")
      + ": \(message)\(place)"
  }

  private var place: String {
    file.map { " (" + $0 + (line.map { ":\($0)" } ?? "") + ")" } ?? ""
  }
}

extension PluginProblem {
  /// The problem as a JSON object: `{"file":…,"line":…,"message":…}`. The line is null if it is
  /// unknown. A warning also has `"warning":true`.
  package var json: String {
    var object = ValueObject([
      ("file", .string(file)), ("line", line.map { .integer(Int64($0)) } ?? .null),
      ("message", .string(message)),
    ])
    if isWarning { object.append("warning", true) }
    return (try? JSONWriter.text(.object(object))) ?? "{}"
  }
}
