/// A file that is appended to, or a feed that is written anew.
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
  /// Of a feed: how many items, the newest first.
  package var itemCount = 50
  package var title: String?
  /// Of a feed: where it is found, as its readers see it.
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
