import FetchValues
import XMLLibrary

/// The library functions behind the node objects of `xml` and `html`. The Lua code in
/// NodeModule.swift defines these objects.
///
/// The first two parameters of each function are the numbers of a document and of a node. A node in
/// a result has the form `{number, name}`. Other results are strings, numbers, booleans, nil,
/// lists, and a table of attributes.
struct NodeLibrary {
  let module: String

  var functions: [LibraryFunction] {
    [
      function("_select") { arguments, node, writer throws(LibraryError) in
        try Self.select(&arguments, node, &writer, onlyFirst: false)
      },
      function("_find") { arguments, node, writer throws(LibraryError) in
        try Self.select(&arguments, node, &writer, onlyFirst: true)
      },
      function("_text") { _, node, writer throws(LibraryError) in
        writer.write(XMLNodeText.content(node.pointer))
      },
      function("_markup") { _, node, writer throws(LibraryError) in
        writer.write(XMLNodeText.markup(node.pointer, in: node.document))
      },
      function("_attribute") { arguments, node, writer throws(LibraryError) in
        let name = try arguments.string()
        let found = XMLNodeText.attributes(node.pointer).first {
          $0.name.utf8.elementsEqual(name.utf8)
        }
        writer.writeOptional(found?.value)
      },
      function("_attributes") { _, node, writer throws(LibraryError) in
        let attributes = XMLNodeText.attributes(node.pointer)
        writer.beginObject(count: attributes.count)
        for attribute in attributes {
          writer.write(attribute.name)
          writer.write(attribute.value)
        }
      },
      function("_namespace") { _, node, writer throws(LibraryError) in
        writer.writeOptional(XMLNodeText.namespace(node.pointer))
      },
      function("_children") { _, node, writer throws(LibraryError) in
        try node.write(node.children, to: &writer)
      },
      function("_parent") { _, node, writer throws(LibraryError) in
        guard let parent = node.pointer.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE
        else { return writer.writeNull() }
        try node.write(parent, to: &writer)
      },
    ]
  }

  private typealias NodeBody =
    @Sendable (inout LibraryArguments, HeldNode, inout ValueWriter) throws(LibraryError) -> Void

  private func function(_ name: String, _ body: @escaping NodeBody) -> LibraryFunction {
    LibraryFunction("\(module).\(name)") { arguments, context, writer throws(LibraryError) in
      let document = try context.documents.document(try arguments.integer())
      let node = try document.node(try arguments.integer())
      try body(&arguments, HeldNode(document: document, pointer: node), &writer)
      return 1
    }
  }

  /// Implements `_select` and `_find`. After the document and the node, the arguments are the
  /// expression, `isCSS` and the namespaces. Writes the result of an XPath expression or a CSS
  /// selector. If the result is a list of nodes, `onlyFirst` writes only the first node, or nil if
  /// there is none.
  private static func select(
    _ arguments: inout LibraryArguments, _ node: HeldNode, _ writer: inout ValueWriter,
    onlyFirst: Bool
  ) throws(LibraryError) {
    let expression = try arguments.string()
    let isCSS = try arguments.optionalBool() ?? false
    let namespaces = try arguments.value().objectValue?.members.compactMap { member in
      member.value.stringValue.map { (prefix: member.key, uri: $0) }
    }
    let path = isCSS ? try CSSSelector.xpath(expression) : expression
    let answer = try XMLXPath.evaluate(
      path, at: node.pointer, in: node.document, namespaces: namespaces ?? [])
    switch answer {
    case .nodes(let nodes) where onlyFirst:
      guard let first = nodes.first else { return writer.writeNull() }
      try node.write(first, to: &writer)
    case .nodes(let nodes): try node.write(nodes, to: &writer)
    case .text(let text): writer.write(text)
    case .number(let number):
      if let whole = Int64(exactly: number) { writer.write(whole) } else { writer.write(number) }
    case .bool(let flag): writer.write(flag)
    }
  }
}

/// A node to which Lua refers, with its document.
struct HeldNode {
  let document: XMLDocument
  let pointer: xmlNodePtr

  var children: [xmlNodePtr] {
    var children: [xmlNodePtr] = []
    var next = pointer.pointee.children
    while let child = next {
      if child.pointee.type == XML_ELEMENT_NODE { children.append(child) }
      next = child.pointee.next
    }
    return children
  }

  func write(_ nodes: [xmlNodePtr], to writer: inout ValueWriter) throws(LibraryError) {
    writer.beginArray(count: nodes.count)
    for node in nodes { try write(node, to: &writer) }
  }

  func write(_ node: xmlNodePtr, to writer: inout ValueWriter) throws(LibraryError) {
    switch node.pointee.type {
    case XML_ELEMENT_NODE, XML_DOCUMENT_NODE, XML_HTML_DOCUMENT_NODE:
      writer.beginArray(count: 2)
      writer.write(try document.number(of: node))
      writer.write(XMLNodeText.name(node))
    default: writer.write(XMLNodeText.content(node))
    }
  }
}
