/// `feed.parse(response or text [, {url=, content_type=}])`: the list of items and a table about
/// the feed (the fields are documented at `FeedItem` and `Feed`).
///
/// A response that says "not modified", or has the body of the last run, has no items: what was in
/// it is stored. A status other than 2xx is an error that names
/// it, because its body is an error page and not the feed; what is not a feed is `nil, message`.
/// What a feed says of when to ask again is noted for the host.
package enum FeedLibrary {
  package static let functions: [LibraryFunction] = [
    LibraryFunction("feed.parse") { arguments, context, writer throws(LibraryError) in
      let document = try DocumentArgument.read(&arguments, function: "feed.parse")
      var feed = Feed()
      if !document.isEmptyAnswer && !document.isSameBody {
        var origin = FeedDocument.Origin(
          url: document.url, contentType: document.contentType,
          contentLocation: document.contentLocation, contentLanguage: document.contentLanguage)
        origin.encoding = context.encodings.encoding(of: document.url)
        feed = try FeedDocument.parse(document.body, origin: origin)
        context.encodings.note(feed.encoding, of: document.url)
        context.note(feed)
      }
      feed.writeItems(to: &writer)
      feed.writeFeed(to: &writer)
      return 2
    }
  ]
}
