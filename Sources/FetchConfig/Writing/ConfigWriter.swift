#if canImport(Glibc)
  import Glibc
#endif

/// The replacement of a file in one step, so that no program ever reads a half-written file.
package enum ConfigWriter {
  /// Replaces the file's contents. Links to existing files are followed, and other links are
  /// reported. The file keeps its group and its permissions. If the user cannot give the file to its
  /// group, the file's group gets no permissions. The folder of a new file is created.
  package static func replace(_ path: String, with text: String) throws(ConfigProblem) {
    let target = try resolved(path)
    makeFolders(of: target)
    let temporary = target + ".new-\(getpid())"
    var old = stat()
    let isThere = stat(target, &old) == 0
    let mode = isThere ? old.st_mode & 0o777 : 0o644
    // The permissions of the group are added below, because another group must not get them.
    let descriptor = open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isThere ? mode & 0o707 : mode)
    guard descriptor >= 0 else { throw unwritable(path) }
    var new = stat()
    if isThere {
      _ = fchown(descriptor, uid_t.max, old.st_gid)
      if fstat(descriptor, &new) == 0, new.st_gid == old.st_gid { fchmod(descriptor, mode) }
    }
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

  private static func resolved(_ path: String) throws(ConfigProblem) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let reason = String(cString: strerror(errno))
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    throw ConfigProblem(
      file: path,
      "cannot be written: it is a symbolic link that cannot be followed (\(reason)): create the"
        + " file to which it leads, or remove the link")
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
