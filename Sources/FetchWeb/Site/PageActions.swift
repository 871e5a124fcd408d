import FetchEngine
import FetchModel
import FetchValues

/// The routes of the pages' forms, except those that log in or out. If its action succeeds, a route
/// redirects the browser to a page.
enum PageActions {
  static let all: [Route] = jobs + [grant] + queues + [seen]

  private static func form(
    _ path: String, needs scope: Scope = .act, parameters: [RouteParameter] = [],
    _ sentence: String, _ done: PageNotice,
    _ act: @escaping @Sendable (WebRequest, WebContext) async throws(WebProblem) -> Void
  ) -> Route {
    form(path, needs: scope, parameters: parameters, sentence) {
      request, context async throws(WebProblem) in
      try await act(request, context)
      return done
    }
  }

  private static func form(
    _ path: String, needs scope: Scope = .act, parameters: [RouteParameter] = [],
    _ sentence: String,
    _ act: @escaping @Sendable (WebRequest, WebContext) async throws(WebProblem) -> PageNotice
  ) -> Route {
    Route(
      "POST", path, .page, needs: .scope(scope), parameters: parameters, body: .form,
      answer: .text(WebMedia.html, status: 303), sentence
    ) { request, context async throws(WebProblem) in
      back(request, try await act(request, context))
    }
  }

  /// Returns a redirection to the address in the form's field `back`, or to the overview if the
  /// field is missing or has no path of this server.
  private static func back(_ request: WebRequest, _ done: PageNotice) -> WebResponse {
    let path = FormFields(request)?["back"].flatMap(ownPath) ?? "/"
    let address = path + (path.contains("?") ? "&" : "?") + "notice=" + done.rawValue
    return WebResponse(303, headers: WebHeaders([("Location", address)]))
  }

  /// Returns the path and the query of a text that a browser reads as a path of this server.
  /// Returns nil for other texts, and for texts that are not ASCII or have more than 2,000 bytes.
  /// Leaves out the query parameter `notice`, which `back` adds.
  static func ownPath(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count <= 2_000, bytes.first == UInt8(ascii: "/"),
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      bytes.count == 1 || bytes[1] != UInt8(ascii: "/"), let target = try? RequestTarget(text)
    else { return nil }
    let kept = target.query.filter { $0.name != "notice" }
    let query = URLQuery.text(of: kept.map { (Array($0.name.utf8), Array($0.value.utf8)) })
    return query.isEmpty ? target.path : "\(target.path)?\(query)"
  }

  // MARK: Jobs

  private static let jobs: [Route] = [
    form("/jobs/{job}/run", parameters: [APIParameters.job], "Requests a run of a job") {
      request, context async throws(WebProblem) in
      let job = try request.pathJob()
      let line = try await JobRoutes.line(
        .run(.named([job]), skipsInterval: true), request, context)
      switch TriggerLine(line)?.answer {
      case .waits: return .waits
      case .skipped: return .skipped
      case .due, nil: return .run
      }
    },
    form("/jobs/{job}/pause", parameters: [APIParameters.job], "Pauses a job", .paused) {
      request, context async throws(WebProblem) in
      _ = try await JobRoutes.line(.pause(.named([request.pathJob()])), request, context)
    },
    form("/jobs/{job}/resume", parameters: [APIParameters.job], "Resumes a job", .resumed) {
      request, context async throws(WebProblem) in
      _ = try await JobRoutes.line(.resume(.named([request.pathJob()])), request, context)
    },
    form("/pause", "Pauses all jobs", .pausedAll) { request, context async throws(WebProblem) in
      try request.requireAllJobs()
      _ = try await context.control.lines(.pause(.all))
    },
    form(
      "/resume", "Ends the pause of all jobs; jobs that are paused individually stay paused",
      .resumedAll
    ) { request, context async throws(WebProblem) in
      try request.requireAllJobs()
      _ = try await context.control.lines(.resume(.all))
    },
  ]

  private static let grant = form(
    "/jobs/{job}/grant", needs: .grant, parameters: [APIParameters.job],
    "Grants the permissions that the job's file requests, if the file still has the given hash",
    .granted
  ) { request, context async throws(WebProblem) in
    guard let text = FormFields(request)?["hash"],
      let hash = Hexadecimal.bytes(of: Array(text.utf8)), hash.count == 32
    else { throw WebProblem(.invalidBody, 400, "the form has no valid hash") }
    _ = try await JobRoutes.line(.agree(job: request.pathJob(), hash: hash), request, context)
  }

  // MARK: Queues

  private static let queues: [Route] = [
    form(
      "/deliveries/{id}/retry", parameters: [APIParameters.id], "Makes a delivery due now", .retried
    ) {
      request, context async throws(WebProblem) in
      try await change(.deliveries(.retry, ids: [id(request)]), request, context)
    },
    form("/deliveries/{id}/drop", parameters: [APIParameters.id], "Drops a delivery", .dropped) {
      request, context async throws(WebProblem) in
      try await change(.deliveries(.drop, ids: [id(request)]), request, context)
    },
    form("/transfers/{id}/cancel", parameters: [APIParameters.id], "Cancels a transfer", .cancelled)
    {
      request, context async throws(WebProblem) in
      try await change(.transfers(.cancel, ids: [id(request)]), request, context)
    },
    form(
      "/transfers/{id}/retry", parameters: [APIParameters.id], "Makes a transfer due now", .retried
    ) {
      request, context async throws(WebProblem) in
      try await change(.transfers(.retry, ids: [id(request)]), request, context)
    },
  ]

  private static func id(_ request: WebRequest) -> Int64 { request.integer("id") ?? 0 }

  private static func change(
    _ message: ControlRequest, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) {
    // An id of a delivery or transfer does not show which job it belongs to.
    try request.requireAllJobs()
    _ = try await context.control.lines(message)
  }

  // MARK: The reader

  private static let seen = form(
    "/items/seen", needs: .read, "Marks all items up to the given change as seen"
  ) { request, context async throws(WebProblem) in
    guard let text = FormFields(request)?["sequence"], let sequence = Int64(text), sequence > 0
    else {
      throw WebProblem(.invalidBody, 400, "the form has no valid sequence number")
    }
    do throws(AccessFileError) {
      let isSet = try context.access.setSeen(sequence, of: request.caller, now: request.now)
      return isSet ? .seen : .notSeen
    } catch { throw WebProblem(.internalError, 500, error.description) }
  }
}
