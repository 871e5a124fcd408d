import FetchModel
import FetchValues

#if canImport(Glibc)
  import Glibc
#endif

/// The reading of a case's files: the files of the job's own folder, and the granted files that the
/// plugin may read.
enum CaseTree {
  /// The maximum number of files below one folder of a case.
  static let countMax = 1_000
  static let bytesMax = 64 << 20

  /// Returns all regular files below a folder, sorted by path; an empty list if the folder does not
  /// exist. Skips links, and folders that cannot be opened.
  static func files(below folder: String) throws(ConfigProblem) -> [RecordedFile] {
    var found: [RecordedFile] = []
    try add(folder, "", to: &found)
    return sorted(found)
  }

  private static func sorted(_ files: [RecordedFile]) -> [RecordedFile] {
    files.sorted { $0.path.text.utf8.lexicographicallyPrecedes($1.path.text.utf8) }
  }

  /// Returns the file at `whole`, or the files below the folder at `whole`, sorted by path. `path`
  /// replaces `whole` in the paths of the files. Follows a link at `whole`, as a run does with a
  /// granted path, but skips links below it.
  static func files(
    at whole: String, as path: FilePath
  ) throws(ConfigProblem) -> [RecordedFile] {
    var status = stat()
    guard stat(whole, &status) == 0 else {
      throw ConfigProblem(file: whole, "cannot be read: \(String(cString: strerror(errno)))")
    }
    if status.st_mode & S_IFMT == S_IFREG {
      return [RecordedFile(path, try ConfigFile.bytes(of: whole))]
    }
    var found: [RecordedFile] = []
    try add(whole, path.text + "/", to: &found)
    return sorted(found)
  }

  private static func add(
    _ folder: String, _ prefix: String, to found: inout [RecordedFile]
  ) throws(ConfigProblem) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      let whole = folder + "/" + name
      var status = stat()
      guard lstat(whole, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try add(whole, prefix + name + "/", to: &found)
      case S_IFREG:
        let path: FilePath
        do { path = try FilePath(prefix + name) } catch {
          throw ConfigProblem(file: whole, error.description)
        }
        found.append(RecordedFile(path, try ConfigFile.bytes(of: whole)))
        let bytes = found.reduce(0) { $0 + $1.bytes.count }
        guard found.count <= countMax, bytes <= bytesMax else {
          throw ConfigProblem(
            file: whole,
            "does not fit into the case: a folder of a case has at most \(countMax) files with at"
              + " most \(ByteSize(bytes: Int64(bytesMax))) of data in all")
        }
      default: break
      }
    }
  }
}
