import FetchConfig
import FetchEngine
import FetchModel
import FetchValues
import Glibc

/// The folder of a recorded case, such as `plugins/rss.test/not-modified` for `plugins/rss.lua`.
package struct CaseFolder: Equatable, Sendable {
  /// The name of the case.
  package var name: String
  package var path: String

  /// Returns the path of the folder that contains the cases of the plugin at `path`.
  package static func ofCases(plugin path: String) -> String {
    (path.hasSuffix(".lua") ? String(path.dropLast(4)) : path) + ".test"
  }

  package init(_ name: String, ofPlugin path: String) {
    self.name = name
    self.path = Self.ofCases(plugin: path) + "/" + name
  }

  /// Returns all cases of a plugin, sorted by name.
  package static func all(ofPlugin path: String) -> [CaseFolder] {
    FileBytes.names(in: ofCases(plugin: path)).sorted()
      .map { CaseFolder($0, ofPlugin: path) }
      .filter { FileBytes.exists($0.caseFile) }
  }

  /// Returns the paths of a folder's plugins that have cases, sorted by name. Returns nil if the
  /// path is not a folder.
  package static func plugins(in folder: String) -> [String]? {
    guard FileBytes.isFolder(folder) else { return nil }
    let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    return FileBytes.names(in: folder).filter { $0.hasSuffix(".lua") }.sorted().map { prefix + $0 }
      .filter { FileBytes.exists($0) && !all(ofPlugin: $0).isEmpty }
  }

  /// The names of the entries that `takeRecorded` replaces or removes. `fetchrun record` can write
  /// all of them. The entry `granted` is the folder of the files that the plugin may read.
  private static let recordedNames = [
    CaseFile.name, CaseFile.expectedName, CaseFile.answersFolder, "granted",
  ]

  /// Whether the case may be replaced without confirmation: the case expects a failure, and its
  /// folder contains only entries in `recordedNames`.
  package var isReplaceable: Bool {
    guard let lines = try? expected(), lines.failureMessage != nil else { return false }
    return FileBytes.names(in: path).allSatisfy {
      Self.recordedNames.contains($0) || $0 == "." || $0 == ".."
    }
  }

  /// Replaces the recording in this folder with the recording in `other`. Removes the folder
  /// `other`.
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

  /// Returns the expected results; nil if the case has no file of expected results yet.
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
