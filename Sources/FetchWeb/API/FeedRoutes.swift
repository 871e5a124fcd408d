import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The route for feeds of items, which feed readers read.
enum FeedRoutes {
  private static let itemsUsual = 50
  private static let itemsMax = 500
  /// The maximum number of items in one read of the store. `scannedMax` is the number of read items
  /// after which no further read begins. Only a caller who may not see all jobs can reach it.
  private static let pageCount = 100
  private static let scannedMax = 2_000

  static let all: [Route] = [
    Route(
      "GET", "/feeds/{name}", .other, needs: .scopeUnlessOpen(.feed, .feeds),
      parameters: [
        RouteParameter(
          "name", .text(scalarsMax: 510), in: .path,
          "a job's name or `all`, followed by `.atom`, `.json` or `.rss`"),
        RouteParameter(
          "limit", .integer(1...Int64(itemsMax)), usual: .integer(Int64(itemsUsual)),
          "the maximum number of items in the feed"),
        RouteParameter(
          "token", .text(scalarsMax: 100), "a token with the scope `feed`, for feed readers"),
      ],
      answer: .text("application/atom+xml"), problems: [.notFound, .unknownJob, .noStore],
      "Returns the newest items as Atom, JSON Feed 1.1 or RSS 2.0"
    ) { request, context async throws(WebProblem) in
      guard let name = FeedName(request.text("name") ?? "") else {
        throw WebProblem(
          .notFound, 404,
          "there is no feed '\((request.text("name") ?? "").prefix(200))'; use the name of a job, or"
            + " `all`, followed by .atom, .json or .rss")
      }
      if let job = name.job, !request.caller.sees(job) { throw WebRequest.unknownJob(job) }
      if let tag = try await unchangedTag(of: name, request, context) {
        return answer(304, tag, name)
      }
      return try await written(name, request, context)
    }
  ]

  /// Returns the tag of the feed that the client has, if it is certain that the feed has not
  /// changed since that tag; otherwise nil. The check reads no items.
  private static func unchangedTag(
    of name: FeedName, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> String? {
    guard let known = name.sequence(inTags: request.headers.all("If-None-Match")) else {
      return nil
    }
    let job = name.job
    let start = context.feedMarks.start(of: job, since: known)
    let found = try await context.store.read { view async throws(StoreError) -> LastChange? in
      if let job, try await !view.reader.hasJob(job) { return nil }
      return try await view.reader.lastChange(of: job, after: start)
    }
    guard let found, found.sequence == nil, found.isLast, start <= found.end else { return nil }
    context.feedMarks.note(job, unchangedAfter: known, upTo: found.end)
    return name.tag(known)
  }

  private static func written(
    _ name: FeedName, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> WebResponse {
    let (caller, job) = (request.caller, name.job)
    let limit = Int(request.integer("limit") ?? Int64(itemsUsual))
    let (items, last) = try await context.store.read {
      view async throws(StoreError) -> ([StoredItem], Int64) in
      if let job, try await !view.reader.hasJob(job) { throw .unknownJob(job) }
      // The sequence is read first: the feed may be newer than its tag, but never older.
      let last = try await view.reader.lastSequence()
      return (try await newest(of: job, limit, caller, view.reader), last)
    }
    let base = context.access.settings.url ?? "http://\(request.host)"
    let address = LocalAddress("feeds", name.text).text
    let feed = WrittenFeed(
      title: job?.text ?? "fetchrun",
      url: (base.utf8.last == UInt8(ascii: "/") ? String(base.dropLast()) : base) + address,
      items: items.compactMap { (try? JSONReader.decode($0.json))?.objectValue },
      updatedAt: items.first?.seenAt ?? Timestamp(milliseconds: 0))
    var response = answer(200, name.tag(last), name)
    response.headers.set("Content-Type", name.type)
    response.body = .bytes(Array(feed.text(as: name.format).utf8))
    return response
  }

  /// Reads the newest items that the caller may see. These reads do not count as reads by a person:
  /// see `StoreQueries.items`.
  private static func newest(
    of job: JobName?, _ limit: Int, _ caller: Caller, _ reader: any ReadableStore
  ) async throws(StoreError) -> [StoredItem] {
    var items: [StoredItem] = []
    var before: Int64?
    var (scannedCount, bytesCount) = (0, 0)
    while items.count < limit, scannedCount < scannedMax {
      let count = min(pageCount, limit)
      let page = try await reader.items(
        ItemQuery(job: job, before: before, limit: count), after: nil)
      for item in page.elements where caller.sees(item.job) && items.count < limit {
        bytesCount += item.fieldsJSON.utf8.count
        if bytesCount > WebLimits.answerBytesMax, !items.isEmpty { return items }
        items.append(item)
      }
      scannedCount += page.elements.count
      guard page.elements.count == count || page.next != nil,
        let end = page.elements.last?.sequence
      else { break }
      before = end
    }
    return items
  }

  private static func answer(_ status: Int, _ tag: String, _ name: FeedName) -> WebResponse {
    WebResponse(
      status,
      headers: WebHeaders([("ETag", tag), ("Cache-Control", "private, max-age=300")]))
  }
}
