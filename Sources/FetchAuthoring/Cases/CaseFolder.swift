import FetchConfig
import FetchEngine
import FetchModel
import FetchValues
import Glibc

/// Where a recorded case of a plugin lies: `plugins/rss.test/not-modified` for `plugins/rss.lua`.
package struct CaseFolder: Equatable, Sendable {
  /// The last part of the path.
  package var name: String
  package var path: String

  /// The folder with the cases of the plugin in that file.
  package static func ofCases(plugin path: String) -> String {
    (path.hasSuffix(".lua") ? String(path.dropLast(4)) : path) + ".test"
  }

  package init(_ name: String, ofPlugin path: String) {
    self.name = name
    self.path = Self.ofCases(plugin: path) + "/" + name
  }

  /// All of a plugin, by name.
  package static func all(ofPlugin path: String) -> [CaseFolder] {
    FileBytes.names(in: ofCases(plugin: path)).sorted()
      .map { CaseFolder($0, ofPlugin: path) }
      .filter { FileBytes.exists($0.caseFile) }
  }

  /// The plugins in a folder that have cases, by name; nil where the path is no folder.
  package static func plugins(in folder: String) -> [String]? {
    guard FileBytes.isFolder(folder) else { return nil }
    let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    return FileBytes.names(in: folder).filter { $0.hasSuffix(".lua") }.sorted().map { prefix + $0 }
      .filter { FileBytes.exists($0) && !all(ofPlugin: $0).isEmpty }
  }

  /// What `record` writes into the folder of a case: `granted` has what the plugin may read.
  private static let recordedNames = [
    CaseFile.name, CaseFile.expectedName, CaseFile.answersFolder, CaseFile.filesFolder, "granted",
  ]

  /// Whether the case may go without asking: it expects a failure, as one that was recorded before
  /// the plugin fitted, and nobody has put anything else into its folder.
  package var isReplaceable: Bool {
    guard let lines = try? expected(), lines.failureMessage != nil else { return false }
    return FileBytes.names(in: path).allSatisfy {
      Self.recordedNames.contains($0) || $0 == "." || $0 == ".."
    }
  }

  /// Moves what was recorded in another folder here, in the place of what was; the other is gone then.
  func takeRecorded(from other: CaseFolder) throws(ConfigProblem) {
    for name in Self.recordedNames {
      let old = path + "/" + name
      if unlink(old) != 0 { ScratchFolder.remove(old) }
      guard rename(other.path + "/" + name, old) == 0 || errno == ENOENT else {
        throw ConfigProblem(file: old, "cannot be written: \(String(cString: strerror(errno)))")
      }
    }
    ScratchFolder.remove(other.path)
  }

  package var caseFile: String { path + "/" + CaseFile.name }
  package var expectedFile: String { path + "/" + CaseFile.expectedName }

  /// Nil where there is no such file yet.
  func expected() throws(Failure) -> CaseLines? {
    let bytes: [UInt8]
    switch FileBytes.read(expectedFile, max: ConfigFile.bytesMax) {
    case .success(let read): bytes = read
    case .failure(.system(ENOENT)): return nil
    case .failure(let problem):
      throw Failure(.invalidValue, "\(expectedFile) cannot be read: \(problem)")
    }
    do { return try CaseLines(text: String(decoding: bytes, as: UTF8.self)) } catch {
      throw Failure(.invalidValue, "\(expectedFile): \(error.message)")
    }
  }

  func write(expected: CaseLines) throws(ConfigProblem) {
    try ConfigWriter.replace(expectedFile, with: expected.text)
  }
}
