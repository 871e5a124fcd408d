package import FetchModel

/// The folder of one case: `case.yaml`, files with bodies, and `expected.jsonl`.
package enum CaseFile {
  package static let name = "case.yaml"
  package static let expectedName = "expected.jsonl"
  /// Where bodies are written to.
  package static let answersFolder = "answers"

  /// Reads the case in that folder with its bodies; all that is wrong is reported at once.
  package static func read(_ folder: String) throws(ConfigProblems) -> Recording {
    let path = folder + "/" + name
    let text: String
    do { text = try ConfigFile.text(of: path) } catch { throw ConfigProblems([error]) }
    let (recording, problems) = ConfigReader.read(
      text, file: path, environment: nil, ifEmpty: "the file is empty; a case needs runs:"
    ) { reader, root in reader.recording(root) { body($0, in: folder) } }
    guard problems.isEmpty, let recording else { throw ConfigProblems(problems) }
    return recording
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
