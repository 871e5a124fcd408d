package import FetchModel

/// The data of one run that pure library functions keep between calls, such as parsed documents for
/// which Lua has handles. The data is dropped when the run ends. Only the worker's one thread uses
/// it.
package final class LibraryContext {
  let documents = XMLDocuments()
  private var noted: FeedHints?
  /// The encodings that were assumed, in this run and in earlier runs, for texts that do not name
  /// an encoding.
  var encodings: RememberedEncodings

  /// Creates the data from the job's encoded state, of which the plugin's part is ignored.
  package init(state: [UInt8] = []) { encodings = RememberedEncodings(state: state) }

  /// Returns the plugin's encoded state with the worker's own data added; nil if the worker has no
  /// data to add.
  package func added(to state: UnsafeRawBufferPointer) -> [UInt8]? { encodings.added(to: state) }

  /// The combined hints of all feeds that were read so far. No feed is fetched less often than its
  /// own hints suggest.
  package var feedHints: FeedHints { noted ?? FeedHints() }

  /// The hub and the own address of the first feed that was read; nil if none was.
  package private(set) var hubLinks: HubLinks?

  func note(_ feed: Feed) {
    noted = noted?.least(feed.hints) ?? feed.hints
    hubLinks = hubLinks ?? HubLinks(hub: feed.hub, own: feed.feedURL).bounded
  }
}
