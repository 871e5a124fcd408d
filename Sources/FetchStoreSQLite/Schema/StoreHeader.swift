import FetchStore
internal import SQLiteLibrary

/// The check of the first bytes of a store's file, before SQLite uses the file.
///
/// SQLite treats an empty file as a new database. If a log is beside a file that is not a database,
/// SQLite would write the log's pages into that file.
///
/// The bytes are read through the connection. Closing another descriptor of the file would release
/// this process's locks on it (POSIX).
enum StoreHeader {
  private static let magic = Array("SQLite format 3\0".utf8)
  private static let byteCount = 100

  /// Throws `corrupt` if the file is empty, is not a database, or is another program's database.
  static func check(_ db: SQLConnection, path: String) throws {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(
      db.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods?.pointee else {
      throw SQLFault(ofConnection: db.handle)
    }
    var size: Int64 = 0
    if methods.xFileSize(file, &size) == SQLITE_OK, size == 0 { throw empty(path) }
    var bytes = [UInt8](repeating: 0, count: byteCount)
    // If the file is shorter than the header, the missing bytes are zero.
    _ = methods.xRead(file, &bytes, Int32(bytes.count), 0)
    guard bytes.starts(with: magic) else {
      throw StoreError(
        sqliteCode: SQLITE_NOTADB, detail: "file is not a database", path: path)
    }
    let applicationID = bytes[68..<72].reduce(0) { $0 << 8 | Int($1) }
    if applicationID != StoreSchema.applicationID { throw foreign(path) }
  }

  private static func empty(_ path: String) -> StoreError {
    StoreError(
      .corrupt,
      "the store \(path) is an empty file: restore a copy of it, or remove it to begin a new store,"
        + " where all items count as new")
  }

  private static func foreign(_ path: String) -> StoreError {
    StoreError(
      .corrupt,
      "\(path) is the database of another program, not a fetchrun store: "
        + "use another store")
  }
}

/// The creation of a store without jobs.
///
/// The store is created in memory and then written as a whole. There is therefore never a partial
/// store at the path.
enum NewStore {
  private static let pageSize = 4096

  /// Creates an empty store at the path if there is no file. Only the owner may read the file, and
  /// SQLite gives its journals the same mode.
  ///
  /// The caller holds the store's lock. The file's name is durable after the first commit, since
  /// SQLite syncs the folder when it creates the log.
  static func make(at path: String) throws(StoreError) {
    if StoreFiles.isThere(path) { return }
    let target = StoreFiles.behindLinks(path)
    try StoreFiles.checkNoLog(of: target)
    let bytes: [UInt8]
    do { bytes = try self.bytes() } catch { throw StoreError(error, path: path) }
    try StoreFiles.write(bytes, to: target)
  }

  /// Returns the bytes of a database whose tables are empty.
  private static func bytes() throws(SQLFault) -> [UInt8] {
    let memory = try SQLConnection(at: ":memory:", .create)
    let script = ["PRAGMA page_size = \(pageSize); BEGIN"] + StoreSchema.newStore + ["COMMIT"]
    for sql in script { try memory.execute(sql) }
    return writtenByLog(try memory.bytes())
  }

  /// Returns the bytes with the mark for a write-ahead log, which SQLite does not set in an
  /// in-memory database. Source: the file format, https://www.sqlite.org/fileformat2.html, section
  /// 1.3.
  private static func writtenByLog(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(18..<20, with: [2, 2])
    return bytes
  }
}
