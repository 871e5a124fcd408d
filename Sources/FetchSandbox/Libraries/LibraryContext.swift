package import FetchModel

/// One run's data of pure library functions between calls, such as parsed documents that Lua refers
/// to by handles. The run's end drops it; only the worker's one thread uses it.
package final class LibraryContext {
  let documents = XMLDocuments()
  private var noted: FeedHints?
  /// The encodings assumed for texts that name none, in this run and earlier ones.
  var encodings: RememberedEncodings

  /// `state` is the job's encoded state; the plugin's part of it is ignored.
  package init(state: [UInt8] = []) { encodings = RememberedEncodings(state: state) }

  /// Returns the plugin's encoded state with the worker's own data added; nil if there is none.
  package func added(to state: UnsafeRawBufferPointer) -> [UInt8]? { encodings.added(to: state) }

  /// The weakest of the hints of all feeds read so far: none of these feeds asks for less.
  package var feedHints: FeedHints { noted ?? FeedHints() }

  func note(_ feed: Feed) { noted = noted?.least(feed.hints) ?? feed.hints }
}
