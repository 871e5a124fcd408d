import FetchModel
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

  /// Makes an empty store where there is none, on the disk when this returns.
  ///
  /// SQLite would make a file that all may read (its journals get the mode of this one), and go into
  /// WAL mode by a transaction with a journal of its own. What a crash leaves is this page, or a
  /// file without bytes, which SQLite takes for an empty database, too: a file system does not give
  /// a file the length of what it has not written.
  static func makeStore(_ path: String) throws(StoreError) {
    if isThere(path) { return }
    let descriptor = try openFile(path, O_RDWR | O_CREAT)
    defer { close(descriptor) }
    let page = EmptyDatabase.page
    let written = pwrite(descriptor, page, page.count, 0)
    guard written == page.count else { throw error(written < 0 ? errno : ENOSPC, path) }
    if fsync(descriptor) != 0 { throw error(errno, path) }
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

  static func hasRoom(_ path: String) -> Bool {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0, disk.f_blocks > 0 else { return true }
    let blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail
    return UInt64(blocks).multipliedReportingOverflow(by: UInt64(disk.f_frsize)).partialValue
      >= roomBytesMin
  }

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
