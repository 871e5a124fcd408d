/// The writer that converts parsed elements back to HTML.
struct MarkupWriter {
  private let tape: XMLTape
  private(set) var bytes: [UInt8] = []

  init(tape: XMLTape) { self.tape = tape }

  /// Writes the children. `XMLLimits.depthMax` bounds the recursion.
  mutating func writeChildren(of parent: Int) {
    for node in tape.children(of: parent) {
      if tape.nodes[node].isText { writeText(tape.text(node)) } else { writeElement(node) }
    }
  }

  private mutating func writeElement(_ node: Int) {
    let name = written(tape.nodes[node].name)
    bytes += "<".utf8
    bytes += name.utf8
    for attribute in tape.attributes[tape.attributes(of: node)] {
      bytes += " ".utf8
      bytes += written(attribute.name).utf8
      bytes += "=\"".utf8
      writeText(tape.value(attribute))
      bytes += "\"".utf8
    }
    if Int(tape.nodes[node].end) == node + 1, Self.voidNames.contains(name) {
      bytes += " />".utf8
      return
    }
    bytes += ">".utf8
    writeChildren(of: node)
    bytes += "</".utf8
    bytes += name.utf8
    bytes += ">".utf8
  }

  /// Returns the name to write for an element or an attribute. Only names outside the namespace of
  /// XHTML keep their prefix.
  private func written(_ index: Int32) -> String {
    let name = tape.names[Int(index)]
    let isPlain = name.prefix.isEmpty || name.uri == "http://www.w3.org/1999/xhtml"
    return isPlain ? name.local : "\(name.prefix):\(name.local)"
  }

  private mutating func writeText(_ text: ArraySlice<UInt8>) {
    for byte in text {
      switch byte {
      case 0x26: bytes += "&amp;".utf8
      case 0x3C: bytes += "&lt;".utf8
      case 0x3E: bytes += "&gt;".utf8
      case 0x22: bytes += "&quot;".utf8
      default: bytes.append(byte)
      }
    }
  }

  private static let voidNames: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
  ]
}
