import FetchStore
internal import SQLiteLibrary

extension StoreError {
  init(sqliteCode: Int32, detail: String, path: String) {
    switch sqliteCode & 0xFF {
    case SQLITE_FULL:
      self.init(
        .full, "the store \(path) is full: free space on its disk, or prune the store (\(detail))")
    case SQLITE_READONLY, SQLITE_PERM:
      self.init(
        .readOnly,
        "the store \(path) cannot be written: check the permissions of the file and of its folder")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(
        .corrupt,
        "the store \(path) is damaged or not a fetchrun store (\(detail)): move it away, or restore"
          + " a copy")
    case SQLITE_MISUSE: self.init(.closed, "the store \(path) was closed")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(.locked, "the store \(path) is in use by another process: try again later")
    case SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE:
      self.init(.rejected, "the store \(path) rejected the data (\(detail))")
    case SQLITE_IOERR where !StoreFiles.hasRoom(path):
      self.init(
        .unreachable, "no space for the store \(path) (\(detail)): free space on its disk")
    case SQLITE_IOERR:
      self.init(
        .unreachable,
        "the store \(path) cannot be read or written (\(detail)): check its disk, and the space and"
          + " quota there")
    case SQLITE_NOMEM:
      self.init(
        .unreachable, "the store \(path) cannot be used (\(detail)): end other programs")
    default:
      self.init(
        .unreachable, "the store \(path) cannot be used: check its disk and folder (\(detail))")
    }
  }

  init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let fault as SQLFault:
      self.init(sqliteCode: fault.code, detail: fault.detail, path: path)
    default:
      self.init(.unreachable, "the store \(path) cannot be used: \(error)")
    }
  }

  /// Whether the content of the disk may be unknown after this error. If so, the store must be
  /// reopened before it is written again.
  var isDisk: Bool { code == .unreachable || code == .corrupt || code == .replaced }
}
