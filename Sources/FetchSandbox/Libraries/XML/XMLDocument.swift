import XMLLibrary

/// A parsed XML or HTML document: libxml2's tree, and the nodes to which Lua refers.
///
/// Lua refers to nodes by number, never by address. An unknown number is an error.
final class XMLDocument {
  enum Kind { case xml, html }

  let kind: Kind
  /// The estimated memory of the tree in bytes.
  let bytes: Int
  private let document: xmlDocPtr
  private var nodes: [xmlNodePtr] = []
  private var numbers: [xmlNodePtr: Int64] = [:]
  private var xpath: xmlXPathContextPtr?

  /// The maximum number of nodes of one document to which Lua may refer.
  static let handleCountMax = 200_000

  init(_ document: xmlDocPtr, kind: Kind, bytes: Int) {
    self.document = document
    self.bytes = bytes
    self.kind = kind
  }

  deinit {
    if let xpath { xmlXPathFreeContext(xpath) }
    xmlFreeDoc(document)
  }

  var root: xmlNodePtr? { xmlDocGetRootElement(document) }
  /// The document node, at which absolute XPath expressions begin.
  var top: xmlNodePtr {
    UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self)
  }
  var pointer: xmlDocPtr { document }

  func number(of node: xmlNodePtr) throws(LibraryError) -> Int64 {
    if let known = numbers[node] { return known }
    guard nodes.count < Self.handleCountMax else {
      throw .misuse(
        "the run uses more than \(Self.handleCountMax) nodes of one document; select fewer nodes"
      )
    }
    let number = Int64(nodes.count)
    nodes.append(node)
    numbers[node] = number
    return number
  }

  func node(_ number: Int64) throws(LibraryError) -> xmlNodePtr {
    guard number >= 0, number < nodes.count else { throw .misuse("unknown node") }
    return nodes[Int(number)]
  }

  func xpathContext() throws(LibraryError) -> xmlXPathContextPtr {
    if let xpath { return xpath }
    guard let made = xmlXPathNewContext(document) else { throw .misuse("out of memory for XPath") }
    made.pointee.error = { _, _ in }
    xpath = made
    return made
  }
}

/// The parsed documents of one run, by number.
///
/// Lua code cannot free a document, so the least recently used documents are dropped when a limit
/// is exceeded. Using a node of a dropped document is an error whose message gives this reason.
final class XMLDocuments {
  static let documentCountMax = 64
  /// The maximum total size of the documents in bytes, estimated from their nodes and texts. The
  /// newest document is kept even if it alone is larger.
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
        "this document was dropped, because a run keeps at most \(Self.documentCountMax) documents "
          + "with \(Self.totalBytesMax >> 20) MiB in total; parse it again")
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
