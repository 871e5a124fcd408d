import FetchModel
import FetchValues
import XMLLibrary

/// The pure functions of `require "html"`. `NodeModule` wraps nodes in objects.
package enum HTMLLibrary {
  package static let functions: [LibraryFunction] =
    [parse, text, unescape] + NodeLibrary(module: "html").functions

  /// `html._parse(text or response [, {url=, content_type=}]) -> document, node, name`, or `nil,
  /// message`. Elements nested too deeply are dropped. A text beyond the other limits or without an
  /// element, such as an empty text, is refused. Any other text is accepted as HTML.
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
    if let url = argument.url { context.notePage { document.hubLinks(at: url) } }
    return try document.write(in: context, to: &writer)
  }

  /// `html.text(text or response) -> text`: returns the text of a page without its markup, scripts
  /// and styles. Paragraphs are separated by an empty line, and white space is collapsed.
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

extension XMLDocument {
  /// Returns the hub and the page's own address from the `link` elements in the head of an HTML
  /// page (WebSub, section 4). The first valid link of each kind counts.
  ///
  /// - Parameter address: the page's address, against which relative addresses are resolved.
  fileprivate func hubLinks(at address: String) -> HubLinks {
    let resolver = URLResolver(base: address)
    var links = HubLinks()
    guard let root, let head = Self.children(of: root).first(where: { Self.isNamed("head", $0) })
    else { return links }
    for node in Self.children(of: head) where Self.isNamed("link", node) {
      var (relations, target) = ("", "")
      for attribute in XMLNodeText.attributes(node) {
        switch attribute.name {
        case "rel": relations = attribute.value.lowercased()
        case "href": target = attribute.value
        default: break
        }
      }
      guard !target.isEmpty, let found = resolver.resolve(target) else { continue }
      for relation in relations.split(whereSeparator: \.isWhitespace) {
        switch relation {
        case "hub": links.hub = links.hub ?? found
        case "self": links.own = links.own ?? found
        default: break
        }
      }
    }
    return links
  }

  /// The maximum number of children of `html` and of `head` that are searched. A hostile page may
  /// have many more.
  private static let childCountMax = 1_000

  private static func children(of node: xmlNodePtr) -> some Sequence<xmlNodePtr> {
    sequence(first: node.pointee.children) { $0?.pointee.next }
      .lazy.prefix(childCountMax).compactMap(\.self)
  }

  private static func isNamed(_ name: String, _ node: xmlNodePtr) -> Bool {
    node.pointee.type == XML_ELEMENT_NODE && XMLNodeText.name(node) == name
  }
}
