/// The detector of a web page that a server sent instead of a feed. It also finds the feeds to
/// which the page links.
enum HTMLPage {
  /// The number of bytes at a page's start that are searched for links to feeds.
  private static let headBytesMax = 262_144
  /// The maximum number of links in a message.
  private static let linkCountMax = 5

  /// Whether the text begins like HTML, apart from comments, declarations and a DOCTYPE.
  static func isPage(_ text: UnsafeRawBufferPointer) -> Bool {
    var index = skipRemarks(text, from: 0)
    if ASCII.matches("<!doctype", in: text, at: index, caseless: true) {
      // Some feeds begin with the DOCTYPE of HTML, so the text after it must be checked.
      guard let end = ASCII.find(">", in: text, from: index) else { return true }
      index = skipRemarks(text, from: end + 1)
    }
    let starts: [StaticString] = ["<html", "<head", "<body", "<title", "<meta", "<script", "<div"]
    return starts.contains { ASCII.matches($0, in: text, at: index, caseless: true) }
  }

  private static func skipRemarks(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = ASCII.skipBlanks(text, from: start)
    while ASCII.matches("<!--", in: text, at: index) || ASCII.matches("<?", in: text, at: index) {
      let isComment = ASCII.matches("<!--", in: text, at: index)
      guard let end = ASCII.find(isComment ? "-->" : "?>", in: text, from: index) else {
        return text.count
      }
      index = ASCII.skipBlanks(text, from: end + (isComment ? 3 : 2))
    }
    return index
  }

  /// Returns at most `linkCountMax` addresses of feeds from the page's `<link rel="alternate">`
  /// elements.
  static func feedLinks(_ text: UnsafeRawBufferPointer, in scope: FeedScope) -> [String] {
    let head = UnsafeRawBufferPointer(rebasing: text.prefix(headBytesMax))
    var links: [String] = []
    var from = 0
    while links.count < linkCountMax,
      let start = ASCII.find("<link", in: head, from: from, caseless: true)
    {
      let end = ASCII.find(">", in: head, from: start) ?? head.count
      let attributes = TagAttributes.read(UnsafeRawBufferPointer(rebasing: head[start + 5..<end]))
      from = end
      guard let rel = attributes["rel"]?.lowercased(), rel.contains("alternate"),
        let type = attributes["type"]?.lowercased(), let href = attributes["href"],
        types.contains(where: { type.contains($0) })
      else { continue }
      links.append(scope.resolve(href))
    }
    return links
  }

  private static let types = ["rss+xml", "atom+xml", "rdf+xml", "feed+json"]
}
