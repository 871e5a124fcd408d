import FetchValues

/// The effective `xml:base` and `xml:lang` at a place in a feed.
struct FeedScope {
  private var resolver: URLResolver
  var language: String?

  init(base: String? = nil, language: String? = nil) {
    resolver = URLResolver(base: base)
    self.language = language
  }

  var hasBase: Bool { resolver.hasBase }

  /// Returns the absolute address; text that is not an address is returned unchanged.
  func resolve(_ reference: String) -> String { resolver.resolve(reference) ?? reference }

  mutating func enter(base: String) {
    if let address = resolver.resolve(base) { resolver = URLResolver(base: address) }
  }
}
