/// A file that grows by appending, or a feed that is rewritten.
package struct FeedFileSettings: SinkSettings {
  package enum Format: String, Sendable, CaseIterable {
    /// A line of JSON for each item; for a run without items, one for the run.
    case jsonl
    case rss
    case atom
    case jsonfeed
  }

  package var path: String
  package var format = Format.jsonl
  /// The number of items in a feed, the newest first.
  package var itemCount = 50
  package var title: String?
  /// The URL of a feed for its readers.
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
