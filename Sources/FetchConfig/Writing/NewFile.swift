#if canImport(Glibc)
  import Glibc
#endif

/// The creation of files that do not exist yet.
package enum NewFile {
  /// Creates the file and the folders on its path. If the file exists, an error is thrown and
  /// nothing is changed.
  package static func write(_ bytes: [UInt8], to path: String) throws(ConfigProblem) {
    var folderFault = EEXIST
    for index in path.indices.dropFirst() where path[index] == "/" {
      if mkdir(String(path[..<index]), 0o755) != 0, errno != EEXIST { folderFault = errno }
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      // A folder is missing because it could not be created.
      if errno == ENOENT, folderFault != EEXIST { errno = folderFault }
      throw problem(path)
    }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw problem(path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Whether the path exists. A broken link also counts.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func problem(_ path: String) -> ConfigProblem {
    let why =
      errno == EEXIST
      ? "already exists"
      : "cannot be written: "
        + String(
          cString: strerror(errno))
    return ConfigProblem(file: path, why)
  }
}
