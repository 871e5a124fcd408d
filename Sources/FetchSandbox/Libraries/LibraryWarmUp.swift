/// What the pure libraries must have done before the worker is locked down.
///
/// Nothing here opens a file, and nothing after it does: libxml2 and ICU carry their tables in
/// libraries that are mapped at start. What is done early is what would otherwise cost the first
/// run its time: libxml2's and ICU's first initialisation and the feed reader's tables.
package enum LibraryWarmUp {
  package static func prepare() {
    _ = XMLParsing.ready
    let feed: StaticString = """
      <?xml version="1.0" encoding="windows-1251"?><rss><channel><item><title>\u{E9}</title>\
      <pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>
      """
    let bytes = UnsafeRawBufferPointer(start: feed.utf8Start, count: feed.utf8CodeUnitCount)
    _ = try? FeedDocument.parse(bytes, origin: FeedDocument.Origin(url: "https://example.org/"))
    _ = CharsetDecoder.utf8(bytes, from: .other("windows-1252"))
  }
}
