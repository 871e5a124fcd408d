import FetchConfig
import FetchEngine
package import FetchHost
import FetchModel
import FetchValues

/// The files of a new, working plugin: its code, a passing test case, and stubs for editors.
package struct NewPlugin: Sendable {
  private let name: String
  private let kind: PluginKind
  private let folder: String

  /// The name of its test case.
  package static let caseName = "example"

  /// `folder` is without a final slash; empty means the working folder.
  package init(named name: String, _ kind: PluginKind, in folder: String) {
    self.name = name
    self.kind = kind
    self.folder = folder.isEmpty || folder == "." ? "" : folder + "/"
  }

  package var file: String { "\(folder)\(name).lua" }

  /// The commands to type next, one on each line.
  package var nextSteps: [String] {
    [
      "fetchrun test \(file)",
      "fetchrun record \(file) --case real \(kind.arguments)",
      "fetchrun --plugin \(file) \(kind.arguments)",
    ]
  }

  /// The created files, and the existing ones that stay unchanged.
  package struct Written: Equatable, Sendable {
    package var files: [String] = []
    package var kept: [String] = []
  }

  /// Writes the files. Throws without writing if the plugin or its test folder exists.
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
    written.files += try recorded.write(
      to: example, comment: ["fetchrun test runs this; time stands still at `now`."])
    try StubFiles.add(to: folder, &written)
    return written
  }

  /// Records the plugin's actual results as the expected ones.
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
