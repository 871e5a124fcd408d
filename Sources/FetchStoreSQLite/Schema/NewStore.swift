import FetchStore

/// A store without jobs.
///
/// It is created in memory and written as a whole, so that the store's path never has a partial
/// store.
enum NewStore {
  private static let pageSize = 4096

  /// Creates an empty store if there is none.
  ///
  /// The caller holds the store's lock. The file's name is durable after the first commit, since
  /// SQLite syncs the folder with a new log. SQLite itself would create a file that all users may
  /// read; its journals receive the mode of this one.
  static func make(at path: String) throws(StoreError) {
    if StoreFiles.isThere(path) { return }
    let target = StoreFiles.behindLinks(path)
    try StoreFiles.checkNoLog(of: target)
    let bytes: [UInt8]
    do { bytes = try self.bytes() } catch { throw StoreError(error, path: path) }
    try StoreFiles.write(bytes, to: target)
  }

  /// Returns the bytes of an empty database; throws SQLite's error.
  private static func bytes() throws(SQLFault) -> [UInt8] {
    let memory = try SQLConnection(at: ":memory:", .create)
    let script = ["PRAGMA page_size = \(pageSize); BEGIN"] + StoreSchema.newStore + ["COMMIT"]
    for sql in script { try memory.execute(sql) }
    return writtenByLog(try memory.bytes())
  }

  /// Marks the file as one with a write-ahead log; a database in memory has no such mark. Source:
  /// the file format, https://www.sqlite.org/fileformat2.html, section 1.3.
  private static func writtenByLog(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(18..<20, with: [2, 2])
    return bytes
  }
}
