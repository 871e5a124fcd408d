import FetchModel
import FetchStore
internal import Glibc

/// The files of a store, readable only by their owner.
enum StoreFiles {
  static let folderMode: mode_t = 0o700
  static let fileMode: mode_t = 0o600

  /// Creates the folder of that file, and its parents, if they are missing.
  static func makeFolder(of path: String) throws(StoreError) {
    guard let slash = path.lastSlash, slash > path.startIndex else { return }
    let folder = String(path[..<slash])
    if isThere(folder) { return }
    try makeFolder(of: folder)
    if mkdir(folder, folderMode) != 0 && errno != EEXIST { throw error(errno, folder) }
  }

  /// Writes a file of these bytes, whole or not at all.
  ///
  /// The file receives its name when all of it is on the disk. The folder is not synced.
  static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let draft = path + draftSuffix
    // Left behind by a killed process.
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

  /// Throws if a log exists without its store. The log has the data stored last, and SQLite would
  /// copy it into a new store.
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

  /// Returns the target of a path whose last component is a symbolic link, whether or not the
  /// target exists; otherwise the path itself. All names of a store therefore lead to one lock.
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

  /// The maximum number of links, as in Linux.
  private static let linksMax = 40

  /// The space that even a small run needs.
  private static let roomBytesMin: UInt64 = 64 << 10

  /// Throws `full` if the store's disk has no room for a run. A file system that does not report
  /// its free space counts as having room.
  static func checkRoom(_ path: String) throws(StoreError) {
    if !hasRoom(path) { throw error(ENOSPC, path) }
  }

  static func hasRoom(_ path: String) -> Bool { room(path).map { $0 >= roomBytesMin } ?? true }

  /// Returns the free space on the disk; nil if the file system does not report it.
  private static func room(_ path: String) -> UInt64? {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0, disk.f_blocks > 0 else { return nil }
    let blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail
    return UInt64(blocks).multipliedReportingOverflow(by: UInt64(disk.f_frsize)).partialValue
  }

  /// Returns the size limit of a store without a configured one: it leaves a quarter of the present
  /// free space. On a disk with less than the minimum, the disk itself is the limit.
  static func bytesUsual(_ path: String) -> Int64 {
    var status = stat()
    guard let room = room(path), stat(path, &status) == 0 else { return Retention.bytesUsual }
    let free = Int64(clamping: room / 4 * 3)
    let most = Int64(status.st_size).addingReportingOverflow(free)
    return min(Retention.bytesUsual, max(most.overflow ? .max : most.partialValue, bytesUsualMin))
  }

  private static let bytesUsualMin: Int64 = 64 << 20

  static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func error(_ number: Int32, _ path: String) -> StoreError {
    let reason = String(cString: strerror(number))
    return switch number {
    case EROFS:
      StoreError(
        .readOnly,
        "the store's \(path) cannot be written (\(reason)): keep the store elsewhere"
          + " (`store:` in the config, or `--store`)")
    case EACCES, EPERM:
      StoreError(
        .readOnly, "the store's \(path) cannot be written (\(reason)): check who owns it")
    case ENOSPC, EDQUOT:
      StoreError(.full, "no space for the store's \(path) (\(reason)): free some")
    default:
      StoreError(.unreachable, "the store's \(path) cannot be used (\(reason)): check the path")
    }
  }
}

extension StoreError {
  static func missing(_ path: String) -> StoreError {
    StoreError(
      .missing, "there is no store at \(path): run a job first, or name another with `--store FILE`"
    )
  }
}
