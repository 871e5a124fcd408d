internal import Glibc

/// The files of a store: made so that only their owner can read them.
enum StoreFiles {
  static let folderMode: mode_t = 0o700
  static let fileMode: mode_t = 0o600

  /// Makes the folder of that file, and those above it, where they are missing.
  static func makeFolder(of path: String) throws(StoreError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
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

  static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func error(_ number: Int32, _ path: String) -> StoreError {
    let reason = String(cString: strerror(number))
    return switch number {
    case EACCES, EROFS, EPERM:
      StoreError(
        .readOnly, "the store's \(path) cannot be written (\(reason)): check who owns it")
    case ENOSPC, EDQUOT:
      StoreError(.full, "no space for the store's \(path) (\(reason)): free some")
    default:
      StoreError(.unreachable, "the store's \(path) cannot be used (\(reason)): check the path")
    }
  }
}
