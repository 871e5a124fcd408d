package import FetchModel

/// What pure library functions keep for one run between calls, such as parsed documents that Lua
/// holds handles of. Made when the run starts, dropped with it; used from the worker's one thread.
package final class LibraryContext {
  let documents = XMLDocuments()
  private var noted: FeedHints?
  /// The encodings that texts which name none were taken for, in this run and before it.
  var encodings: RememberedEncodings

  /// `state` is the job's, encoded; its plugin's part is not read.
  package init(state: [UInt8] = []) { encodings = RememberedEncodings(state: state) }

  /// The plugin's encoded state with what the worker itself keeps beside it; nil where that is nothing.
  package func added(to state: UnsafeRawBufferPointer) -> [UInt8]? { encodings.added(to: state) }

  /// What asks for no more than any of the feeds read so far does.
  package var feedHints: FeedHints { noted ?? FeedHints() }

  func note(_ feed: Feed) { noted = noted?.least(feed.hints) ?? feed.hints }
}
