package import FetchModel
package import FetchValues

/// What a run gave, checked for shape and limits.
package struct WorkerProducts: Equatable, Sendable {
  package var items: [ParsedItem] = []
  /// Those that are not among them.
  package var emptyItems = EmptyItems()
  /// The plugin's new state; nil where it is unchanged.
  package var state: Value?
  /// What asks for no more than any of the feeds that were read does.
  package var feedHints = FeedHints()
  /// Whether the plugin said that its items are the whole set.
  package var isWhole = false
  /// Whether the plugin's function returned nothing, not even an empty list.
  package var returnedNothing = false
  /// What the plugin says of the run in a few words.
  package var note: String?
  /// What all items and the state have in bytes, as they crossed the border.
  package var resultBytes = 0

  package init() {}
}
