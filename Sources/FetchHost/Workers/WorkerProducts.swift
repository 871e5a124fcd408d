package import FetchModel
package import FetchValues

/// The products of a run, checked for shape and limits.
package struct WorkerProducts: Equatable, Sendable {
  package var items: [ParsedItem] = []
  /// The items without contents, which `items` does not include.
  package var emptyItems = EmptyItems()
  /// The plugin's new state; nil if it is unchanged.
  package var state: Value?
  /// The hints of all feeds that were read: of each, the value that asks for the least.
  package var feedHints = FeedHints()
  /// Whether the plugin declared its items to be the whole set.
  package var isWhole = false
  /// Whether the plugin's function returned nothing, not even an empty list.
  package var returnedNothing = false
  /// The plugin's short note on the run.
  package var note: String?
  /// The size of all items and the state in bytes, as the worker sent them.
  package var resultBytes = 0

  package init() {}
}
