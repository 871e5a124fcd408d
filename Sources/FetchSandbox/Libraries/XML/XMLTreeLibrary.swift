import FetchValues

/// The library functions of `require "xml"`. The Lua code of `PreludeModule.xml` wraps their
/// results in node objects.
package enum XMLTreeLibrary {
  package static let functions: [LibraryFunction] = [parse] + NodeLibrary(module: "xml").functions

  /// `xml._parse(text or response [, {url=, content_type=}]) -> document, node, name`, or `nil,
  /// message`: returns the document's number, and the number and the name of its root element.
  private static let parse = LibraryFunction("xml._parse") {
    arguments, context, writer throws(LibraryError) in
    let argument = try DocumentArgument.read(&arguments, function: "xml.parse")
    let source = context.converted(argument)
    let document: XMLDocument
    if let converted = source.bytes {
      document = try converted.parsed(XMLTreeParser.xml)
    } else {
      let first = ASCII.skipBlanks(argument.body, from: source.start)
      document = try XMLTreeParser.xml(
        UnsafeRawBufferPointer(rebasing: argument.body[first...]))
    }
    return try document.write(in: context, to: &writer)
  }
}

extension [UInt8] {
  /// Calls `parse` with the bytes after the leading white space, without a copy of the bytes.
  func parsed(
    _ parse: (UnsafeRawBufferPointer) throws(LibraryError) -> XMLDocument
  ) throws(LibraryError) -> XMLDocument {
    let result = withUnsafeBytes { bytes in
      Result { () throws(LibraryError) in
        let first = ASCII.skipBlanks(bytes, from: 0)
        return try parse(UnsafeRawBufferPointer(rebasing: bytes[first...]))
      }
    }
    return try result.get()
  }
}

extension XMLDocument {
  /// Adds the document to the run's documents. Writes the document's number, and the number and the
  /// name of its root. Throws an error if the document has no element.
  func write(
    in context: LibraryContext, to writer: inout ValueWriter
  ) throws(LibraryError) -> Int {
    guard let root else { throw .refused("the document has no element") }
    writer.write(context.documents.add(self))
    writer.write(try number(of: root))
    writer.write(XMLNodeText.name(root))
    return 3
  }
}
