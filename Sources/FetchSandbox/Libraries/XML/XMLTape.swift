internal import Glibc

/// A parsed document as flat arrays in document order. Flat arrays take little time to build, read
/// and free.
struct XMLTape {
  struct Node {
    /// The index of the element's name in `names`; -1 for a text.
    var name: Int32
    /// The index after the last node below this node.
    var end: Int32
    /// The range `from..<to` in `attributes` for an element, in `bytes` for a text.
    var from: Int32
    var to: Int32

    var isText: Bool { name < 0 }
  }

  struct Attribute {
    var name: Int32
    var from: Int32
    var to: Int32
  }

  /// A name as written, with its namespace. The namespace is empty if the name has no namespace.
  struct Name: Equatable {
    var uri: String
    var prefix: String
    var local: String
  }

  var nodes: [Node] = []
  var attributes: [Attribute] = []
  var names: [Name] = []
  /// All texts and attribute values, in UTF-8.
  var bytes: [UInt8] = []
}

extension XMLTape {
  /// Returns the indexes of the direct children.
  func children(of parent: Int) -> Children { Children(tape: self, parent: parent) }

  struct Children: Sequence, IteratorProtocol {
    private let nodes: [Node]
    private var index: Int
    private let end: Int

    init(tape: XMLTape, parent: Int) {
      nodes = tape.nodes
      index = parent + 1
      end = Int(tape.nodes[parent].end)
    }

    mutating func next() -> Int? {
      guard index < end else { return nil }
      defer { index = Int(nodes[index].end) }
      return index
    }
  }

  func text(_ node: Int) -> ArraySlice<UInt8> {
    bytes[Int(nodes[node].from)..<Int(nodes[node].to)]
  }

  func value(_ attribute: Attribute) -> ArraySlice<UInt8> {
    bytes[Int(attribute.from)..<Int(attribute.to)]
  }

  /// Returns the indexes of the node's attributes in `attributes`.
  func attributes(of node: Int) -> Range<Int> {
    nodes[node].isText ? 0..<0 : Int(nodes[node].from)..<Int(nodes[node].to)
  }

  /// Whether a text or an attribute value contains `<![CDATA[`. Brackets are rare, so the check
  /// takes little time.
  var holdsSectionStart: Bool {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      var place = 0
      while place < bytes.count, let found = memchr(base + place, 0x5B, bytes.count - place) {
        place = UnsafeRawPointer(found) - base + 1
        if ASCII.matches("<![CDATA[", in: bytes, at: place - 9) { return true }
      }
      return false
    }
  }

  /// Returns the concatenated texts below a node.
  func allText(_ node: Int) -> ArraySlice<UInt8> {
    let end = Int(nodes[node].end)
    if end == node + 1 { return [] }
    if end == node + 2, nodes[node + 1].isText { return text(node + 1) }
    var joined: [UInt8] = []
    for index in node + 1..<end where nodes[index].isText { joined += text(index) }
    return joined[...]
  }
}
