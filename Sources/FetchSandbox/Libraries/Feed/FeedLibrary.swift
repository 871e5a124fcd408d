/// `feed.parse(response or text [, {url=, content_type=}])`: returns the list of items and a table
/// about the feed (`FeedItem` and `Feed` document the fields).
///
/// Both are empty for a response with `not_modified` or `same_body`. A status other than 2xx and
/// 304 raises an error that names the status, because the body is usually an error page. For a text
/// that is not a feed, the function returns `nil, message`. The host receives the feed's hints
/// about when the feed should be fetched next.
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
