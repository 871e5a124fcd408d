import FetchStore

/// The creation of a store without jobs.
///
/// The store is created in memory and then written as a whole. There is therefore never a partial
/// store at the path.
enum NewStore {
  private static let pageSize = 4096

  /// Creates an empty store at the path if there is no store.
  ///
  /// The caller holds the store's lock. The file's name is durable after the first commit, since
  /// SQLite syncs the folder when it creates the log. SQLite itself would create a file that all
  /// users may read. SQLite's journals receive the same mode as the store's file.
  static func make(at path: String) throws(StoreError) {
    if StoreFiles.isThere(path) { return }
    let target = StoreFiles.behindLinks(path)
    try StoreFiles.checkNoLog(of: target)
    let bytes: [UInt8]
    do { bytes = try self.bytes() } catch { throw StoreError(error, path: path) }
    try StoreFiles.write(bytes, to: target)
  }

  /// Returns the bytes of an empty database. Throws SQLite's error.
  private static func bytes() throws(SQLFault) -> [UInt8] {
    let memory = try SQLConnection(at: ":memory:", .create)
    let script = ["PRAGMA page_size = \(pageSize); BEGIN"] + StoreSchema.newStore + ["COMMIT"]
    for sql in script { try memory.execute(sql) }
    return writtenByLog(try memory.bytes())
  }

  /// Returns the bytes with the mark for a write-ahead log, which a database in memory does not
  /// have. Source: the file format, https://www.sqlite.org/fileformat2.html, section 1.3.
  private static func writtenByLog(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(18..<20, with: [2, 2])
    return bytes
  }
}
