package import FetchModel
package import FetchValues

/// A pure function that plugins call from Lua. It receives and returns encoded values. It has no
/// effects, but may keep data in the run's `LibraryContext`.
///
/// The Lua code of `require` (`PreludeChunk.require`) gets a table with an entry for each function
/// of the module. An entry calls the function by its index in `LibraryRegistry.all`. If the module
/// has Lua code in `PreludeRegistry`, this code receives the table, and the plugin receives the
/// code's result.
///
/// The function runs inside the worker on unchecked bytes. It must not trap, and it must limit its
/// time and memory. It calls neither the host nor Lua.
package struct LibraryFunction: Sendable {
  package typealias Body =
    @Sendable (inout LibraryArguments, LibraryContext, inout ValueWriter) throws(LibraryError)
    -> Int

  /// The name as `module.function`, as in `require "module".function`. A function whose name begins
  /// with an underscore is only for the trusted Lua code of its module.
  package let name: String
  /// The code, which reads the arguments in order, writes the results in order, and returns the
  /// number of results or `nullAlone`.
  package let body: Body

  /// The value that `body` returns if its only result is `json.null`. Otherwise this result would
  /// become nil in Lua.
  package static let nullAlone = -1

  package init(_ name: String, _ body: @escaping Body) {
    self.name = name
    self.body = body
  }
}

/// The reason why a library function returned no result.
package enum LibraryError: Error, Equatable {
  /// The caller made a mistake. The message is raised as a Lua error at the caller's line.
  case misuse(String)
  /// The caller passed an answer with a status such as 404 instead of a document. This error is
  /// also raised as a Lua error, and has the code `httpStatus` if it ends the run.
  case errorStatus(String, retryable: Bool)
  /// The input is invalid. The function returns `nil, message`, which a plugin may handle.
  case refused(String)
}

/// The data of one run that pure library functions keep between calls, such as parsed documents for
/// which Lua has handles. The data is dropped when the run ends. Only the worker's one thread uses
/// the data.
package final class LibraryContext {
  let documents = XMLDocuments()
  private var noted: FeedHints?
  /// The encodings that were guessed for addresses, in this run and in earlier runs.
  var encodings: RememberedEncodings

  /// Creates the data from the job's encoded state. The plugin's part of the state is ignored.
  package init(state: [UInt8] = []) { encodings = RememberedEncodings(state: state) }

  /// Returns the plugin's encoded state with the worker's own data added. Returns nil if the worker
  /// has no data to add, or if named fields cannot be added to the state.
  package func added(to state: UnsafeRawBufferPointer) -> [UInt8]? { encodings.added(to: state) }

  /// The combined hints of all feeds that the run has read so far. The combined hints delay the
  /// next run no longer than the hints of each single feed.
  package var feedHints: FeedHints { noted ?? FeedHints() }

  /// The hub and the source's own address, from the first feed that was read. Without a feed, the
  /// links are from the HTML page, if exactly one page with an address was parsed. Otherwise the
  /// value is nil. Of several pages, none is certain to be the source.
  package var hubLinks: HubLinks? { feedLinks ?? pageLinks }
  private var feedLinks: HubLinks?
  private var pageLinks: HubLinks?
  private var pageCount = 0

  func note(_ feed: Feed) {
    noted = noted?.least(feed.hints) ?? feed.hints
    feedLinks = feedLinks ?? HubLinks(hub: feed.hub, own: feed.feedURL).bounded
  }

  /// Records that an HTML page was parsed. `links` is called only for the first page, and only if
  /// no feed was read before.
  func notePage(_ links: () -> HubLinks) {
    pageCount += 1
    pageLinks = pageCount == 1 && feedLinks == nil ? links().bounded : nil
  }
}

/// Every pure library function. Lua calls a function by its index in this list. The index is the
/// same in every worker of one build, and is never stored.
package enum LibraryRegistry {
  package static let all: [LibraryFunction] =
    JSONLibrary.functions + CSVLibrary.functions + TimeLibrary.functions + URLLibrary.functions
    + HashLibrary.functions + Base64Library.functions + TextLibrary.functions
    + FeedLibrary.functions + XMLTreeLibrary.functions + HTMLLibrary.functions
}
