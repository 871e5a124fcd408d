/// The parsed documents of one run, by number.
///
/// Lua code cannot free a document, so new documents replace the least recently used ones. Using a
/// node of a dropped document is an error whose message gives this reason.
final class XMLDocuments {
  /// The maximum number of parsed documents of one run.
  static let documentCountMax = 64
  /// The maximum total size of the documents, estimated from their nodes and texts.
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
        "this document was dropped: a run keeps only \(Self.documentCountMax) documents")
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
