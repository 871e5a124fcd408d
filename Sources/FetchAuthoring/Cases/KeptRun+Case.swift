package import FetchConfig
package import FetchEngine
import FetchModel

extension KeptRun {
  /// Writes the run as a test case. The case has no expected results, since the run's failure is
  /// not the result that the user wants.
  package func write(to folder: CaseFolder) throws(ConfigProblem) {
    guard !NewFile.isThere(folder.path) else {
      throw ConfigProblem(file: folder.path, "already exists")
    }
    let comment = "# From the failed run \(recording.run.map { "\($0)" } ?? "").\n"
    try NewFile.write(Array((comment + text).utf8), to: folder.caseFile)
    for file in files { try NewFile.write(file.bytes, to: folder.path + "/" + file.path) }
  }
}
