import FetchEngine
import FetchModel
import FetchStore
import FetchValues

enum ItemRoutes {
  private static let sequence = RouteParameter(
    "sequence", .positive, in: .path, example: 4711, "sequence number of the change")

  static let all: [Route] = [
    Route(
      "GET", "/api/v1/items", needs: .scope(.read),
      parameters: [
        APIParameters.ofJob,
        RouteParameter(
          "before", .positive, "only changes with a sequence number below this number"),
        RouteParameter(
          "since", .integer(0...Int64.max),
          "only changes with a sequence number above this number, oldest first, including"
            + " removals"),
        APIParameters.limit,
      ],
      answer: .lines("Item", APIFields.item), problems: [.unknownJob, .noStore],
      "Returns the items, newest first; with `since`, the changes after that sequence number,"
        + " oldest first"
    ) { request, context async throws(WebProblem) in
      let job = try request.seenJob()
      if let since = request.integer("since") {
        return try await changes(request, context, job: job, since: since)
      }
      return try await newest(request, context, job: job)
    },
    Route(
      "GET", "/api/v1/items/{sequence}", needs: .scope(.read), parameters: [sequence],
      answer: .object("Item", APIFields.item), problems: [.unknownItem, .noStore],
      "Returns one change of an item"
    ) { request, context async throws(WebProblem) in
      .object(json: try await item(request, context).json)
    },
    Route(
      "GET", "/api/v1/items/{sequence}/versions", needs: .scope(.read), parameters: [sequence],
      answer: .lines("Item", APIFields.item), problems: [.unknownItem, .noStore],
      "Returns the stored versions of an item, newest first"
    ) { request, context async throws(WebProblem) in
      var answer = LineAnswer()
      for version in try await versions(request, context) {
        guard answer.add(json: version.json) else { break }
      }
      return answer.response(to: request)
    },
    Route(
      "GET", "/api/v1/items/{sequence}/diff", needs: .scope(.read),
      parameters: [
        sequence,
        RouteParameter(
          "from", .positive, "the older change to compare with (default: the previous one)"),
      ],
      answer: .text(WebMedia.text), problems: [.unknownItem, .noStore],
      "Returns how an item changed, as a unified diff; empty if no earlier version is stored"
    ) { request, context async throws(WebProblem) in
      let new = try await item(request, context)
      guard let old = try await older(than: new, request, context) else {
        return WebResponse(type: WebMedia.text, "")
      }
      return WebResponse(type: WebMedia.text, ItemDiff.text(from: old, to: new))
    },
  ]

  // MARK: Lists

  private static func newest(
    _ request: WebRequest, _ context: WebContext, job: JobName?
  ) async throws(WebProblem) -> WebResponse {
    let query = ItemQuery(job: job, before: request.integer("before"), limit: request.limit)
    let (page, last) = try await context.store.read { view async throws(StoreError) in
      if let job, try await !view.reader.hasJob(job) { throw .unknownJob(job) }
      // The sequence is read first: the list may be newer than its tag, but never older.
      let last = try await view.reader.lastSequence()
      return (try await view.queries.items(query, after: nil), last)
    }
    var answer = LineAnswer()
    answer.tag = last
    let isFull = !fill(&answer, page.elements, request)
    let isCut = isFull || page.elements.count == request.limit || page.next != nil
    if isCut, let end = answer.end {
      answer.next = [("before", String(end))]
    }
    return answer.response(to: request)
  }

  private static func changes(
    _ request: WebRequest, _ context: WebContext, job: JobName?, since: Int64
  ) async throws(WebProblem) -> WebResponse {
    let query = ChangeQuery(job: job, since: since, limit: request.limit)
    let page = try await context.store.read { view async throws(StoreError) in
      if let job, try await !view.reader.hasJob(job) { throw .unknownJob(job) }
      return try await view.queries.changes(query)
    }
    var answer = LineAnswer()
    let before = request.integer("before") ?? .max
    let wanted = page.changes.filter { $0.sequence < before }
    let isFull = !fill(&answer, wanted, request)
    let end = isFull ? answer.end ?? since : page.end
    answer.tag = end
    let isOver = page.isLast || wanted.count < page.changes.count || page.end >= before
    if isFull || !isOver { answer.next = [("since", String(end))] }
    return answer.response(to: request)
  }

  /// Adds the items that the caller may see. Returns false if the answer is full before all these
  /// items are added.
  private static func fill(
    _ answer: inout LineAnswer, _ items: [StoredItem], _ request: WebRequest
  ) -> Bool {
    for item in items {
      if request.caller.sees(item.job), !answer.add(json: item.json) { return false }
      answer.end = item.sequence
    }
    return true
  }

  // MARK: One item

  /// Returns the change whose sequence number is in the path.
  static func item(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> StoredItem {
    try await change(request.integer("sequence") ?? 0, request, context)
  }

  private static func change(
    _ sequence: Int64, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> StoredItem {
    let found = try await context.store.read { view async throws(StoreError) in
      try await view.queries.change(sequence)
    }
    guard let found, request.caller.sees(found.job) else {
      throw WebProblem(
        .unknownItem, 404, "there is no change \(sequence); it may have been pruned")
    }
    return found
  }

  /// Returns the stored versions of the item to which the change in the path belongs. The newest
  /// version is first, and at most `PageMark.countMax` versions are returned.
  static func versions(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> [StoredItem] {
    let item = try await item(request, context)
    return try await context.store.read { view async throws(StoreError) in
      Array(
        try await view.queries.versions(job: item.job, id: item.key.text)
          .prefix(PageMark.countMax))
    }
  }

  /// Returns the version with which a change is compared: the change in the parameter `from`;
  /// without this parameter, the next older version in the result of `versions`. Returns nil if
  /// there is no such version. Throws an error if the change in `from` belongs to another item.
  private static func older(
    than new: StoredItem, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> StoredItem? {
    guard let from = request.integer("from") else {
      return try await versions(request, context).first { $0.sequence < new.sequence }
    }
    let old = try await change(from, request, context)
    guard old.job == new.job, old.key == new.key else {
      throw WebProblem(.unknownItem, 404, "the change \(from) belongs to another item")
    }
    return old
  }
}
