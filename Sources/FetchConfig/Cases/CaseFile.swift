package import FetchModel
import FetchValues

/// The folder of one case: `case.yaml`, files with bodies, and `expected.jsonl`.
package enum CaseFile {
  package static let name = "case.yaml"
  package static let expectedName = "expected.jsonl"
  /// The folder for bodies.
  package static let answersFolder = "answers"
  /// The contents of the job's own folder before the first run.
  package static let filesFolder = "files"

  /// Reads the case in that folder with its bodies; all mistakes are reported together.
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

  /// Reads a case from its text and files, without a folder.
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
      text, file: path, environment: nil, ifEmpty: "the file is empty; a case needs runs:"
    ) { reader, root in reader.recording(root, files) }
    guard problems.isEmpty, let recording else { throw ConfigProblems(problems) }
    return recording
  }

  /// Reads a granted file, or the contents of a granted folder, under its name in a case.
  package static func readable(
    _ path: String, as name: FilePath
  ) throws(ConfigProblem) -> [RecordedFile] {
    try CaseTree.files(at: path, as: name)
  }

  private static func body(_ name: String, in folder: String) -> Result<[UInt8], ConfigProblem> {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, !parts.contains(""), !parts.contains("..") else {
      return .failure(ConfigProblem(file: name, "is not below the folder of the case"))
    }
    do { return .success(try ConfigFile.bytes(of: folder + "/" + name)) } catch {
      return .failure(error)
    }
  }
}
