#if canImport(Glibc)
  import Glibc
#endif

/// The replacement of a file in one step, so that no program ever reads a half-written file.
package enum ConfigWriter {
  /// Replaces the file's contents. Links to existing files are followed. The file keeps its
  /// permissions, except those that the umask removes. The folder of a new file is created.
  package static func replace(_ path: String, with text: String) throws(ConfigProblem) {
    let target = resolved(path)
    makeFolders(of: target)
    let temporary = target + ".new-\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode(of: target))
    guard descriptor >= 0 else { throw unwritable(path) }
    let isWritten = write(text, to: descriptor) && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    errno = code
    guard isWritten, rename(temporary, target) == 0 else {
      let problem = unwritable(path)
      unlink(temporary)
      throw problem
    }
  }

  private static func unwritable(_ path: String) -> ConfigProblem {
    ConfigProblem(file: path, "cannot be written: \(String(cString: strerror(errno)))")
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func mode(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o644
  }

  private static func makeFolders(of path: String) {
    for index in path.indices.dropFirst() where path[index] == "/" {
      mkdir(String(path[..<index]), 0o755)
    }
  }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
