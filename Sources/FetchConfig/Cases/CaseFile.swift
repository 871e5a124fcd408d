package import FetchModel
import FetchValues

/// The folder of one test case. It contains `case.yaml`, and may contain `expected.jsonl` and other
/// files that the case needs, such as the bodies of answers.
package enum CaseFile {
  package static let name = "case.yaml"
  package static let expectedName = "expected.jsonl"
  /// The name of the folder for the bodies of requests and answers.
  package static let answersFolder = "answers"
  /// The name of the folder with the contents of the job's own folder before the first run.
  package static let filesFolder = "files"

  /// Reads the case in the given folder, with its bodies and files. The mistakes that are found in
  /// `case.yaml` are reported together.
  package static func read(_ folder: String) throws(ConfigProblems) -> Recording {
    let path = folder + "/" + name
    let text: String
    do { text = try ConfigFile.text(of: path) } catch { throw ConfigProblems([error]) }
    var recording = try read(text, path: path) { body($0, in: folder) }
    do {
      recording.files = try CaseTree.files(below: folder + "/" + filesFolder)
      for path in recording.readPaths {
        recording.readableFiles += try CaseTree.files(
          at: folder + "/" + path.text, as: path)
      }
    } catch { throw ConfigProblems([error]) }
    return recording
  }

  /// Reads a case from the text of `case.yaml`. `files` contains the bodies that the text names
  /// with `body_file`.
  package static func read(
    _ text: String, files: [(path: String, bytes: [UInt8])]
  ) throws(ConfigProblems) -> Recording {
    try read(text, path: name) { path in
      files.first { $0.path == path }.map { .success($0.bytes) }
        ?? .failure(ConfigProblem(file: path, "is missing"))
    }
  }

  private static func read(
    _ text: String, path: String, _ files: (String) -> Result<[UInt8], ConfigProblem>
  ) throws(ConfigProblems) -> Recording {
    let (recording, problems) = ConfigReader.read(
      text, file: path, environment: nil,
      ifEmpty: "the file has no keys; add `runs:` with a list of runs"
    ) { reader, root in reader.recording(root, files) }
    guard problems.isEmpty, let recording else { throw ConfigProblems(problems) }
    return recording
  }

  /// Reads a granted file, or the files below a granted folder, for a case. `name` replaces `path`
  /// in the paths of the files.
  package static func readable(
    _ path: String, as name: FilePath
  ) throws(ConfigProblem) -> [RecordedFile] {
    try CaseTree.files(at: path, as: name)
  }

  private static func body(_ name: String, in folder: String) -> Result<[UInt8], ConfigProblem> {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, !parts.contains(""), !parts.contains("..") else {
      return .failure(
        ConfigProblem(
          file: name,
          "must be the path of a file, relative to the case's folder and without '..' and '//'"))
    }
    do { return .success(try ConfigFile.bytes(of: folder + "/" + name)) } catch {
      return .failure(error)
    }
  }
}

/// The tables of the reference page Cases, made from the keys and words that the reader accepts.
package enum CaseReference {
  /// The tables with their titles, in the order of the reference page.
  package static let tables: [(title: String, table: String)] = [
    ("The case", table("key", CaseKey.Whole.allCases.map { ($0.rawValue, $0.summary) })),
    ("A run", table("key", CaseKey.Run.allCases.map { ($0.rawValue, $0.summary) })),
    ("A secret", table("key", CaseKey.Secret.allCases.map { ($0.rawValue, $0.summary) })),
    (
      "An ended download",
      table("key", CaseKey.Transfer.allCases.map { ($0.rawValue, $0.summary) })
    ),
    ("A request", table("key", CaseKey.Request.allCases.map { ($0.rawValue, $0.summary) })),
    ("An answer", table("key", CaseKey.Answer.allCases.map { ($0.rawValue, $0.summary) })),
    ("Validators", table("key", CaseKey.Validator.allCases.map { ($0.rawValue, $0.summary) })),
    (
      "Faults",
      table("fault", RecordedFault.allCases.map { ($0.rawValue, $0.summary) })
    ),
  ]

  private static func table(_ heading: String, _ rows: [(name: String, text: String)]) -> String {
    (["| \(heading) | what |", "|---|---|"] + rows.map { "| `\($0.name)` | \($0.text) |" })
      .joined(separator: "\n")
  }
}
