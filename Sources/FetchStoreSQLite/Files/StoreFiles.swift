import FetchModel
import FetchStore
internal import Glibc

/// The functions that work on the files of a store. Only the owner may read a file that they
/// create.
enum StoreFiles {
  static let folderMode: mode_t = 0o700
  static let fileMode: mode_t = 0o600

  /// Creates the folder of a file, and the parents of the folder, if they are missing.
  static func makeFolder(of path: String) throws(StoreError) {
    guard let slash = path.lastSlash, slash > path.startIndex else { return }
    let folder = String(path[..<slash])
    if isThere(folder) { return }
    try makeFolder(of: folder)
    if mkdir(folder, folderMode) != 0 && errno != EEXIST { throw error(errno, folder) }
  }

  /// Writes a file with the given bytes, completely or not at all.
  ///
  /// The file receives its final name after all of its bytes are on the disk. The folder is not
  /// synced.
  static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let draft = path + draftSuffix
    // A process that was killed may have left a draft with this name.
    unlink(draft)
    try writeDraft(bytes, to: draft)
    if rename(draft, path) != 0 { throw error(errno, path) }
  }

  private static let draftSuffix = ".new"

  private static func writeDraft(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let descriptor = try openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    defer { close(descriptor) }
    let written = pwrite(descriptor, bytes, bytes.count, 0)
    guard written == bytes.count else {
      let number = written < 0 ? errno : ENOSPC
      unlink(path)
      throw error(number, path)
    }
    if fsync(descriptor) != 0 { throw error(errno, path) }
  }

  /// Throws `corrupt` if the store's log exists and is not empty. The caller has found that the
  /// store itself is missing. The log has the data that were stored last, and SQLite would copy
  /// these data into a new store.
  static func checkNoLog(of path: String) throws(StoreError) {
    let log = path + "-wal"
    var status = stat()
    guard stat(log, &status) == 0, status.st_size > 0 else { return }
    throw StoreError(
      .corrupt,
      "the store \(path) is missing, but its log \(log) exists: restore a copy of the store, or remove"
        + " the log to begin a new store, where all items count as new")
  }

  static func openFile(_ path: String, _ flags: Int32) throws(StoreError) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC, fileMode)
    if descriptor < 0 { throw error(errno, path) }
    return descriptor
  }

  /// Returns the target of a path whose last component is a symbolic link, even if the target does
  /// not exist. Returns any other path unchanged. Symbolic links to a store thus lead to the
  /// store's lock and log.
  static func behindLinks(_ path: String) -> String {
    var path = path
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    for _ in 0..<linksMax {
      let count = readlink(path, &target, target.count)
      guard count > 0, count < target.count else { return path }
      let text = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      path = text.isAbsolutePath ? text : path.folderPrefix + text
    }
    return path
  }

  /// The maximum number of links that are followed. Linux has the same limit.
  private static let linksMax = 40

  /// The disk space in bytes that a small run needs.
  private static let roomBytesMin: UInt64 = 64 << 10

  /// Throws `full` if the store's disk has no space for a small run. If a file system does not
  /// report its free space, the function assumes that there is space.
  static func checkRoom(_ path: String) throws(StoreError) {
    if !hasRoom(path) { throw error(ENOSPC, path) }
  }

  static func hasRoom(_ path: String) -> Bool { room(path).map { $0 >= roomBytesMin } ?? true }

  /// Returns the free space on the disk in bytes; nil if the file system does not report it.
  private static func room(_ path: String) -> UInt64? {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0, disk.f_blocks > 0 else { return nil }
    let blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail
    return UInt64(blocks).multipliedReportingOverflow(by: UInt64(disk.f_frsize)).partialValue
  }

  /// Returns the maximum size in bytes of a store whose config sets no maximum: the present size
  /// plus three quarters of the free space. The result is at least `bytesUsualMin` and at most
  /// `Retention.bytesUsual`. If the present size or the free space is unknown, the result is
  /// `Retention.bytesUsual`.
  static func bytesUsual(_ path: String) -> Int64 {
    var status = stat()
    guard let room = room(path), stat(path, &status) == 0 else { return Retention.bytesUsual }
    let free = Int64(clamping: room / 4 * 3)
    let most = Int64(status.st_size).addingReportingOverflow(free)
    return min(Retention.bytesUsual, max(most.overflow ? .max : most.partialValue, bytesUsualMin))
  }

  private static let bytesUsualMin: Int64 = 64 << 20

  static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func error(_ number: Int32, _ path: String) -> StoreError {
    let reason = String(cString: strerror(number))
    return switch number {
    case EROFS:
      StoreError(
        .readOnly,
        "the path \(path) of the store cannot be written (\(reason)): keep the store elsewhere"
          + " (`store:` in the config, or `--store`)")
    case EACCES, EPERM:
      StoreError(
        .readOnly,
        "the path \(path) of the store cannot be written (\(reason)): check the"
          + " permissions of this path and of its folder")
    case ENOSPC, EDQUOT:
      StoreError(
        .full, "no space for the store at the path \(path) (\(reason)): free space on its disk")
    case EMFILE:
      StoreError(
        .unreachable,
        "the path \(path) of the store cannot be used (\(reason)): raise the limit of open files"
          + " with `ulimit -n`")
    case ENFILE, ENOMEM:
      StoreError(
        .unreachable,
        "the path \(path) of the store cannot be used (\(reason)): end other programs")
    default:
      StoreError(
        .unreachable, "the path \(path) of the store cannot be used (\(reason)): check the path")
    }
  }
}

extension StoreError {
  static func missing(_ path: String) -> StoreError {
    StoreError(
      .missing,
      "there is no store at \(path): run a job first, or name another store with `--store FILE`")
  }
}
