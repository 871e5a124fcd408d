import FetchConfig
import FetchEngine
package import FetchHost
import FetchModel
import FetchValues

/// The files of a new plugin: the code of the plugin, a test case, and stubs for editors.
package struct NewPlugin: Sendable {
  private let name: String
  private let kind: PluginKind
  private let folder: String

  private static let caseName = "example"

  private static let caseComment =
    "`fetchrun test` runs this case with a clock that always shows `now`."

  /// Whether the case has the name and the first line of the case that `fetchrun new` writes. The
  /// rest of the case may have been edited.
  package static func wrote(_ folder: CaseFolder) -> Bool {
    guard folder.name == caseName,
      case .success(let bytes) = FileBytes.read(folder.caseFile, max: ConfigFile.bytesMax)
    else { return false }
    return bytes.starts(with: "# \(caseComment)\n".utf8)
  }

  /// Creates a new plugin without writing it. `folder` has no slash at its end, unless it is `/`.
  /// An empty string or `.` means the working folder.
  package init(named name: String, _ kind: PluginKind, in folder: String) {
    self.name = name
    self.kind = kind
    self.folder = folder.isEmpty || folder == "." ? "" : folder + "/"
  }

  package var file: String { "\(folder)\(name).lua" }

  /// The commands that the user types next, in this order.
  package var nextSteps: [String] {
    let file = ShellWord.quoted(file)
    return [
      "fetchrun test \(file)",
      "fetchrun record \(file) --case real \(kind.arguments)",
      "fetchrun --plugin \(file) \(kind.arguments)",
    ]
  }

  /// The paths of the created files, and of the files that already existed and stay unchanged.
  package struct Written: Equatable, Sendable {
    package var files: [String] = []
    package var kept: [String] = []
  }

  /// Writes the plugin, its test case and the stubs that do not exist yet. If the plugin or its
  /// test folder exists, throws an error and writes nothing.
  package func write(workers: WorkerPool) async throws -> Written {
    let cases = CaseFolder.ofCases(plugin: file)
    for path in [file, cases] where NewFile.isThere(path) {
      throw Failure(.invalidOption, "\(path) already exists; use another name or --folder")
    }
    let template = kind.template(named: name)
    var written = Written()
    try NewFile.write(Array(template.text.utf8), to: file)
    written.files.append(file)
    let recorded = try await recorded(template, workers)
    let example = CaseFolder(Self.caseName, ofPlugin: file)
    written.files += try recorded.write(to: example, comment: [Self.caseComment])
    try StubFiles.add(to: folder, &written)
    return written
  }

  /// Runs the plugin on the template's recording. Returns the recording with the results of this
  /// run.
  private func recorded(
    _ template: PluginTemplate, _ workers: WorkerPool
  ) async throws -> RecordedCase {
    let shelf = PluginShelf(folders: PluginFolders([]), workers: workers)
    let plugin = try await shelf.plugin(named: file.hasSlash ? file : "./" + file)
    let played = try await PluginTest(workers: workers).play(template.recording, of: plugin)
    if let problem = played.problems.first { throw Failure(.internalError, problem) }
    return RecordedCase(
      recording: template.recording, lines: played.lines, outcomes: played.outcomes, scrubbed: [])
  }
}
