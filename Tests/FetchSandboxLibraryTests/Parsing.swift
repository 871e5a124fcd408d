import FetchSandbox
import FetchValues

/// Parses a text as a feed.
func parse(
  _ text: String, url: String? = "https://example.org/feed.xml", contentType: String? = nil
) throws -> Feed {
  try parse(Array(text.utf8), url: url, contentType: contentType)
}

func parse(
  _ bytes: [UInt8], url: String? = "https://example.org/feed.xml", contentType: String? = nil
) throws -> Feed {
  try bytes.withUnsafeBytes {
    try FeedDocument.parse($0, origin: .init(url: url, contentType: contentType))
  }
}

/// Returns an RSS document with the given items.
func rss(_ items: String) -> String {
  "<rss version=\"2.0\"><channel><title>News</title>\(items)</channel></rss>"
}

/// Calls a library function as Lua does, and returns its results.
func call(
  _ functions: [LibraryFunction], _ name: String, _ arguments: [Value],
  in context: LibraryContext = LibraryContext()
) throws -> [Value] {
  guard let function = functions.first(where: { $0.name == name }) else { return [] }
  var writer = ValueWriter()
  writer.write(Value.array(arguments))
  return try writer.bytes.withUnsafeBytes { encoded in
    var reader = try LibraryArguments(encoded, function: name)
    var output = ValueWriter()
    let count = try function.body(&reader, context, &output)
    return try output.bytes.withUnsafeBytes { bytes in
      var results = ValueReader(bytes)
      let written = count == LibraryFunction.nullAlone ? 1 : count
      return try (0..<written).map { _ in try results.readValue() }
    }
  }
}
