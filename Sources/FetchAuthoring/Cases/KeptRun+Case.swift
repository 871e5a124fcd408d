package import FetchConfig
package import FetchEngine
import FetchModel

extension KeptRun {
  /// As a test case, without what is expected: that it fails is not what is wanted.
  package func write(to folder: CaseFolder) throws(ConfigProblem) {
    guard !NewFile.isThere(folder.path) else {
      throw ConfigProblem(file: folder.path, "is there already")
    }
    let comment = "# Of the run \(recording.run.map { "\($0)" } ?? ""), which failed.\n"
    try NewFile.write(Array((comment + text).utf8), to: folder.caseFile)
    for file in files { try NewFile.write(file.bytes, to: folder.path + "/" + file.path) }
  }
}
