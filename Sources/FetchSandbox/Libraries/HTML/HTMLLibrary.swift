import FetchValues

/// The pure functions of `require "html"`; `NodeModule` wraps nodes in objects.
package enum HTMLLibrary {
  package static let functions: [LibraryFunction] =
    [parse, text, unescape] + NodeLibrary(module: "html").functions

  /// `html._parse(text or response [, {url=, content_type=}]) -> document, node, name`. Any text is
  /// accepted as HTML. An empty text becomes a page without content.
  private static let parse = LibraryFunction("html._parse") {
    arguments, context, writer throws(LibraryError) in
    let argument = try DocumentArgument.read(&arguments, function: "html.parse")
    let source = context.converted(argument, isHTML: true)
    let body = UnsafeRawBufferPointer(rebasing: argument.body[source.start...])
    let changed =
      source.bytes.map { page in
        page.withUnsafeBytes { CharacterReference.withoutControls($0) } ?? page
      } ?? CharacterReference.withoutControls(body)
    let document: XMLDocument
    if let changed {
      document = try changed.parsed(XMLTreeParser.html)
    } else {
      document = try XMLTreeParser.html(body)
    }
    return try document.write(in: context, to: &writer)
  }

  /// `html.text(text or response) -> text`: returns the text that a reader of the page sees.
  /// Paragraphs are separated by an empty line, and white space is collapsed.
  private static let text = LibraryFunction("html.text") {
    arguments, context, writer throws(LibraryError) in
    let argument = try DocumentArgument.read(&arguments, function: "html.text")
    let source = context.converted(argument, isHTML: true)
    if let converted = source.bytes {
      writer.write(bytes: converted.withUnsafeBytes { ReadableText.text($0) })
    } else {
      let rest = UnsafeRawBufferPointer(rebasing: argument.body[source.start...])
      writer.write(bytes: ReadableText.text(rest))
    }
    return 1
  }

  /// `html.unescape(text) -> text`: resolves references such as `&eacute;` and `&#8217;`.
  private static let unescape = LibraryFunction("html.unescape") {
    arguments, _, writer throws(LibraryError) in
    writer.write(HTMLText.unescaped(try arguments.string()))
    return 1
  }
}
