import XMLLibrary

/// The reader of a node's contents as text.
enum XMLNodeText {
  /// Returns all text of the node and the nodes below it, or an attribute's value.
  static func content(_ node: xmlNodePtr) -> String { taken(xmlNodeGetContent(node)) }

  /// Returns the node as markup: HTML for a node of an HTML document, otherwise XML.
  static func markup(_ node: xmlNodePtr, in document: XMLDocument) -> String {
    guard let buffer = xmlBufferCreate() else { return "" }
    defer { xmlBufferFree(buffer) }
    switch document.kind {
    case .xml: xmlNodeDump(buffer, document.pointer, node, 0, 0)
    case .html: htmlNodeDump(buffer, document.pointer, node)
    }
    let length = Int(max(0, xmlBufferLength(buffer)))
    return String(
      decoding: UnsafeBufferPointer(start: xmlBufferContent(buffer), count: length), as: UTF8.self)
  }

  /// Returns the name of a node. The name of an element includes its prefix. The names in an HTML
  /// document are in lower case.
  static func name(_ node: xmlNodePtr) -> String {
    guard let name = node.pointee.name else { return "" }
    let local = String(cString: name)
    guard node.pointee.type == XML_ELEMENT_NODE, let prefix = node.pointee.ns?.pointee.prefix else {
      return local
    }
    return String(cString: prefix) + ":" + local
  }

  static func namespace(_ node: xmlNodePtr) -> String? {
    guard node.pointee.type == XML_ELEMENT_NODE, let uri = node.pointee.ns?.pointee.href else {
      return nil
    }
    return String(cString: uri)
  }

  /// Returns an element's attributes in the document's order, with their prefixes; empty for a node
  /// of another type.
  static func attributes(_ node: xmlNodePtr) -> [(name: String, value: String)] {
    guard node.pointee.type == XML_ELEMENT_NODE else { return [] }
    var attributes: [(String, String)] = []
    var next = node.pointee.properties
    while let attribute = next {
      next = attribute.pointee.next
      guard let name = attribute.pointee.name else { continue }
      var written = String(cString: name)
      if let prefix = attribute.pointee.ns?.pointee.prefix {
        written = String(cString: prefix) + ":" + written
      }
      let value = UnsafeMutableRawPointer(attribute).assumingMemoryBound(to: xmlNode.self)
      attributes.append((written, content(value)))
    }
    return attributes
  }

  private static func taken(_ text: UnsafeMutablePointer<xmlChar>?) -> String {
    guard let text else { return "" }
    defer { xml_release(text) }
    return String(cString: text)
  }
}
