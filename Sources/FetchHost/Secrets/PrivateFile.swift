package import FetchModel
import FetchValues
import Glibc

/// The reading and writing of small private files, such as files with secrets.
package enum PrivateFile {
  /// The default maximum size of a file, slightly larger than the longest secret.
  package static let bytesMax = SecretValue.bytesMax + 1024

  package static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Reads the whole file.
  ///
  /// - Parameter isShared: whether the file may belong to another user, and whether other users may
  ///   read or write it.
  package static func read(
    _ path: String, isShared: Bool, bytesMax: Int = PrivateFile.bytesMax
  ) throws(SecretProblem) -> [UInt8] {
    // With these flags, opening a FIFO or a device neither blocks nor acquires a controlling
    // terminal.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else {
      throw SecretProblem("the file \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw SecretProblem("\(path) is not a regular file")
    }
    // Root can read a file of another user, but that user could change the secret in it.
    guard isShared || facts.st_uid == geteuid() else {
      throw foreign(path, owner: facts.st_uid, user: geteuid())
    }
    let mode = facts.st_mode & 0o7777
    guard isShared || mode & 0o077 == 0 else {
      throw SecretProblem(
        "the file \(path) is accessible to other users (mode \(octal(mode))); "
          + "run `chmod 600 \(ShellWord.quoted(path))`")
    }
    return try contents(file, path, bytesMax)
  }

  /// Returns the problem that a file with a secret belongs to another user. Only root can change
  /// its owner.
  package static func foreign(_ path: String, owner: UInt32, user: UInt32) -> SecretProblem {
    let advice =
      user == 0 ? "run `chown 0 \(ShellWord.quoted(path))`" : "use a copy that belongs to you"
    return SecretProblem("the file \(path) belongs to user \(owner), who can change it; \(advice)")
  }

  private static func contents(
    _ file: Int32, _ path: String, _ bytesMax: Int
  ) throws(SecretProblem) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count <= bytesMax {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw SecretProblem("the file \(path) cannot be read: \(String(cString: strerror(errno)))")
      }
      bytes += chunk[..<count]
    }
    throw SecretProblem("the file \(path) is longer than \(bytesMax) bytes")
  }

  private static func octal(_ mode: mode_t) -> String { "0" + String(mode, radix: 8) }

  /// Replaces the whole file in one step. If the call fails or the power fails, the file has either
  /// its old or its new contents.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(SecretProblem) {
    try write(bytes, to: path) { unfinished in rename(unfinished, path) == 0 }
  }

  /// Creates the whole file if it does not exist; returns false if the file exists.
  static func create(_ path: String, with bytes: [UInt8]) throws(SecretProblem) -> Bool {
    var isTaken = false
    try write(bytes, to: path) { unfinished in
      let isLinked = link(unfinished, path) == 0
      isTaken = !isLinked && errno == EEXIST
      unlink(unfinished)
      return isLinked || isTaken
    }
    return !isTaken
  }

  private static func write(
    _ bytes: [UInt8], to path: String, placing place: (String) -> Bool
  ) throws(SecretProblem) {
    makeFolder(folder(of: path))
    let unfinished = "\(path).\(getpid()).new"
    unlink(unfinished)
    let file = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw unwritable(path) }
    let isWritten = writeAll(bytes, to: file) && fsync(file) == 0
    let code = errno
    close(file)
    guard isWritten, place(unfinished) else {
      errno = isWritten ? errno : code
      let problem = unwritable(path)
      unlink(unfinished)
      throw problem
    }
    sync(folder: folder(of: path))
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func unwritable(_ path: String) -> SecretProblem {
    SecretProblem("the file \(path) cannot be written: \(String(cString: strerror(errno)))")
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastSlash else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func makeFolder(_ path: String) {
    guard mkdir(path, 0o700) != 0, errno == ENOENT, path.hasSlash else { return }
    makeFolder(folder(of: path))
    mkdir(path, 0o700)
  }

  private static func sync(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Runs `body` while this call holds the file's lock. Waits while another process or thread holds
  /// the lock.
  package static func locked<Result>(
    _ path: String, _ body: () throws(SecretProblem) -> Result
  ) throws(SecretProblem) -> Result {
    makeFolder(folder(of: path))
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw unwritable(path + ".lock") }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw unwritable(path + ".lock") }
    }
    return try body()
  }
}
