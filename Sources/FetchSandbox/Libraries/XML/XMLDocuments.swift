/// The documents that one run holds, by number.
///
/// Lua frees no document here, so the least recently used ones make room for new ones. Use of a
/// node from a dropped document is an error that says so.
final class XMLDocuments {
  /// The maximum number of parsed documents of one run.
  static let documentCountMax = 64
  /// Their total size, estimated from nodes and texts.
  static let totalBytesMax = 128 << 20

  private struct Entry {
    var document: XMLDocument
    var usedAt: UInt64
  }

  private var entries: [Int64: Entry] = [:]
  private var nextNumber: Int64 = 1
  private var clock: UInt64 = 0
  private var totalBytes = 0

  /// Stores the document and returns its number.
  func add(_ document: XMLDocument) -> Int64 {
    clock += 1
    totalBytes += document.bytes
    entries[nextNumber] = Entry(document: document, usedAt: clock)
    defer { nextNumber += 1 }
    while entries.count > 1,
      entries.count > Self.documentCountMax || totalBytes > Self.totalBytesMax
    {
      dropOldest()
    }
    return nextNumber
  }

  func document(_ number: Int64) throws(LibraryError) -> XMLDocument {
    guard let entry = entries[number] else {
      throw .misuse(
        "this document is gone: a run keeps its last \(Self.documentCountMax) documents")
    }
    clock += 1
    entries[number]?.usedAt = clock
    return entry.document
  }

  private func dropOldest() {
    guard let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt }) else { return }
    totalBytes -= oldest.value.document.bytes
    entries[oldest.key] = nil
  }
}
