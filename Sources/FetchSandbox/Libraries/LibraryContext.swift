package import FetchModel

/// What pure library functions keep for one run between calls, such as parsed documents that Lua
/// holds handles of. Made when the run starts, dropped with it; used from the worker's one thread.
package final class LibraryContext {
  let documents = XMLDocuments()
  private var noted: FeedHints?

  package init() {}

  /// What asks for no more than any of the feeds read so far does.
  package var feedHints: FeedHints { noted ?? FeedHints() }

  func note(_ feed: Feed) { noted = noted?.least(feed.hints) ?? feed.hints }
}
