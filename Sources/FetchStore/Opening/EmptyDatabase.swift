/// An SQLite database without tables, in WAL mode.
///
/// Source: the file format, https://www.sqlite.org/fileformat2.html, sections 1.3 and 1.6.
enum EmptyDatabase {
  private static let pageSize = 4096
  private static let headerSize = 100

  /// Its one page. Bytes that are not named are zero.
  static var page: [UInt8] {
    var page = [UInt8](repeating: 0, count: pageSize)
    func put(_ bytes: some Collection<UInt8>, at offset: Int) {
      page.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    put(Array("SQLite format 3\0".utf8), at: 0)
    put([UInt8(pageSize >> 8), 0], at: 16)
    // Written and read by a write-ahead log.
    put([2, 2], at: 18)
    // Fixed by the format.
    put([64, 32, 32], at: 21)
    // How often it was changed, and the size in pages, which holds for that many changes.
    put([0, 0, 0, 1], at: 24)
    put([0, 0, 0, 1], at: 28)
    put([0, 0, 0, 1], at: 92)
    // The schema's format, and UTF-8.
    put([0, 0, 0, 4], at: 44)
    put([0, 0, 0, 1], at: 56)
    // A leaf of a table without cells, whose content begins at the end.
    put([13, 0, 0, 0, 0, UInt8(pageSize >> 8), 0], at: headerSize)
    return page
  }
}
