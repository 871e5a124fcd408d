/// The settings of a sink that writes a file: either a file to which lines are appended, or a feed
/// that is rewritten.
package struct FeedFileSettings: SinkSettings {
  package enum Format: String, Sendable, CaseIterable {
    /// One line of JSON is appended for each item. A delivery without items adds its payload as one
    /// line.
    case jsonl
    case rss
    case atom
    case jsonfeed
  }

  package var path: String
  package var format = Format.jsonl
  /// The maximum number of items in a feed. The feed has the newest items first.
  package var itemCount = 50
  package var title: String?
  /// The feed's own URL, which is written into the feed.
  package var url: String?

  package init(path: String) { self.path = path }

  package static let itemCountAllowed = 1...1000
}

extension FeedFileSettings {
  package var word: String { "file" }

  package var receiver: String { path }

  package func resolvingPaths(_ resolved: (String) -> String) -> Self {
    var settings = self
    settings.path = resolved(path)
    return settings
  }
}
