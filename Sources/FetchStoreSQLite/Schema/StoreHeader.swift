import FetchStore
internal import SQLiteLibrary

/// The first bytes of the file at a store's path, read before SQLite makes anything of them.
///
/// SQLite takes an empty file for a new database, and would write the pages of a log that lies beside
/// any other file into it.
///
/// Read by the connection: a descriptor of our own would, when it is closed, end the locks that this
/// process has on the file (POSIX).
struct StoreHeader {
  private static let magic = Array("SQLite format 3\0".utf8)
  private static let byteCount = 100

  /// 0 for a store that no checkpoint has reached, and for the database of many another program.
  let applicationID: Int

  /// Throws `corrupt` where the file is empty, no database, or another program's database.
  init(of db: SQLConnection, path: String) throws {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(
      db.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods?.pointee else {
      throw SQLFault(ofConnection: db.handle)
    }
    var size: Int64 = 0
    if methods.xFileSize(file, &size) == SQLITE_OK, size == 0 { throw Self.empty(path) }
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    // What a shorter file lacks is zero.
    _ = methods.xRead(file, &bytes, Int32(bytes.count), 0)
    // An early build was killed while it made the store: SQLite rolls that back.
    let isUnfinished =
      bytes.allSatisfy { $0 == 0 } && StoreFiles.isThere(StoreFiles.behindLinks(path) + "-journal")
    guard isUnfinished || bytes.starts(with: Self.magic) else {
      throw StoreError(
        sqliteCode: SQLITE_NOTADB, detail: "file is not a database", path: path)
    }
    applicationID = bytes[68..<72].reduce(0) { $0 << 8 | Int($1) }
    if applicationID != 0 && applicationID != StoreSchema.applicationID {
      throw Self.foreign(path)
    }
  }

  private static func empty(_ path: String) -> StoreError {
    StoreError(
      .corrupt,
      "the store \(path) is an empty file: restore a copy of it, or remove it to begin a new store,"
        + " to which all items are news")
  }

  static func foreign(_ path: String) -> StoreError {
    StoreError(
      .corrupt,
      "\(path) is the database of another program, not a fetchrun store: "
        + "name another store")
  }
}
