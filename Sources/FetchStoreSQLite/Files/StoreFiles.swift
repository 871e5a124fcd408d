import FetchModel
import FetchStore
internal import Glibc

/// The files of a store: made so that only their owner can read them.
enum StoreFiles {
  static let folderMode: mode_t = 0o700
  static let fileMode: mode_t = 0o600

  /// Makes the folder of that file, and those above it, where they are missing.
  static func makeFolder(of path: String) throws(StoreError) {
    guard let slash = path.lastSlash, slash > path.startIndex else { return }
    let folder = String(path[..<slash])
    if isThere(folder) { return }
    try makeFolder(of: folder)
    if mkdir(folder, folderMode) != 0 && errno != EEXIST { throw error(errno, folder) }
  }

  /// Makes a file of these bytes, whole or not at all.
  ///
  /// The file gets its name when all of it is on the disk. The folder is not synced.
  static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let draft = path + draftSuffix
    // Left by a process that was killed.
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

  /// A log without its store has what was stored last. SQLite would copy it into a new store.
  static func checkNoLog(of path: String) throws(StoreError) {
    let log = path + "-wal"
    var status = stat()
    guard stat(log, &status) == 0, status.st_size > 0 else { return }
    throw StoreError(
      .corrupt,
      "the store \(path) is gone, but its log \(log) is there: restore a copy of the store, or remove"
        + " the log to begin a new store, to which all items are news")
  }

  static func openFile(_ path: String, _ flags: Int32) throws(StoreError) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC, fileMode)
    if descriptor < 0 { throw error(errno, path) }
    return descriptor
  }

  /// Where the last part of a path leads that is a symbolic link, be there a file or not; the path
  /// itself where it is none. A folder has one lock by all its names, for its files are the same.
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

  /// As many as Linux follows.
  private static let linksMax = 40

  /// What a run writes that brings little: with less nothing is worth being fetched.
  private static let roomBytesMin: UInt64 = 64 << 10

  /// Throws `full` where the store's disk has no room for a run; a file system that does not say
  /// has room.
  static func checkRoom(_ path: String) throws(StoreError) {
    if !hasRoom(path) { throw error(ENOSPC, path) }
  }

  static func hasRoom(_ path: String) -> Bool { room(path).map { $0 >= roomBytesMin } ?? true }

  /// What is free on its disk; nil where its file system does not say.
  private static func room(_ path: String) -> UInt64? {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0, disk.f_blocks > 0 else { return nil }
    let blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail
    return UInt64(blocks).multipliedReportingOverflow(by: UInt64(disk.f_frsize)).partialValue
  }

  /// How large a store may become that nobody has limited: it leaves a quarter of what is free on its
  /// disk now. On a disk with less than the least it is the disk that says when it is full.
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
          + " (`store:` of the config, or --store)")
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
