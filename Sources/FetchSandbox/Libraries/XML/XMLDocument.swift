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
      throw .misuse("more than \(Self.handleCountMax) nodes of one document are in use")
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

  /// Returns the document's XPath context, and creates it on first use.
  func xpathContext() throws(LibraryError) -> xmlXPathContextPtr {
    if let xpath { return xpath }
    guard let made = xmlXPathNewContext(document) else { throw .misuse("out of memory for XPath") }
    made.pointee.error = { _, _ in }
    xpath = made
    return made
  }
}
