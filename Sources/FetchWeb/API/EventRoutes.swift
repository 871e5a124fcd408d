import FetchEngine
import FetchStore
import FetchValues

/// The route for the stream of events.
enum EventRoutes {
  private static let type = "text/event-stream"

  static let all: [Route] = [
    Route(
      "GET", "/api/v1/events", needs: .scope(.read),
      parameters: [
        RouteParameter("job", .name, "only events about this job"),
        RouteParameter(
          "types", .words(EventSelection.Kind.allCases.map(\.rawValue)),
          "only events of these types, separated by commas"),
        RouteParameter(
          "since", .cursor, example: "48213-9120",
          "the id of the last event that the client has; the field `Last-Event-ID` takes"
            + " precedence"),
      ],
      answer: .text(type),
      problems: [.unknownJob, .invalidParameter, .tooManyRequests, .busy, .noStore],
      "Sends an event for each change of an item, each ended run and each change of a job's state"
    ) { request, context async throws(WebProblem) in
      let job = try request.seenJob()
      if let job { try await check(job, request, context) }
      let kinds = request.parameters["types"]?.arrayValue?
        .compactMap { $0.stringValue.flatMap(EventSelection.Kind.init) }
      let selection = EventSelection(
        job: job, kinds: Set(kinds ?? EventSelection.Kind.allCases), caller: request.caller)
      let given = try cursor(of: request)
      let seat = try seat(request, context, selection)
      let start: EventCursor
      if let given { start = given } else { start = try await context.events.end() }
      let client = EventClient(selection, after: start)
      let stream = EventStream(context.events, seat) { isAllowed(request, context) }
      let metrics = context.metrics
      return WebResponse(
        200, headers: WebHeaders([("Content-Type", type), ("X-Accel-Buffering", "no")]),
        body: .stream { writer in
          metrics.streamsChanged(by: 1)
          defer { metrics.streamsChanged(by: -1) }
          await stream.run(client, writer)
        })
    }
  ]

  /// Throws unless there is a job with the given name in the store or in the daemon. The store may
  /// lack a job that has never run.
  private static func check(
    _ job: JobName, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) {
    let isStored = try await context.store.read { view async throws(StoreError) in
      try await view.reader.hasJob(job)
    }
    if isStored { return }
    do throws(WebProblem) {
      _ = try await JobRoutes.line(.status(job: job), request, context)
    } catch {
      throw error.word == .noDaemon ? WebRequest.unknownJob(job) : error
    }
  }

  /// Returns the cursor after which the client wants events; nil for events from now on.
  private static func cursor(of request: WebRequest) throws(WebProblem) -> EventCursor? {
    guard let field = request.headers.first("Last-Event-ID") else {
      return request.text("since").flatMap { EventCursor($0) }
    }
    // Some clients send an empty `Last-Event-ID` before they have received an event.
    if field.isEmpty { return request.text("since").flatMap { EventCursor($0) } }
    guard let cursor = EventCursor(field) else {
      throw WebProblem(
        .invalidParameter, 400,
        "invalid field 'Last-Event-ID': it must be the id of an event, such as 48213-9120")
    }
    return cursor
  }

  private static func seat(
    _ request: WebRequest, _ context: WebContext, _ selection: EventSelection
  ) throws(WebProblem) -> EventSeat {
    let again = WebHeaders([("Retry-After", "15")])
    do throws(EventRoom.Refusal) {
      return try context.events.enter(request.caller.kind, selection)
    } catch {
      switch error {
      case .full:
        throw WebProblem(
          .busy, 503, "too many event streams: at most \(WebLimits.streamsMax)", headers: again)
      case .callerIsFull:
        throw WebProblem(
          .tooManyRequests, 429,
          "too many event streams of one token or login: at most \(WebLimits.streamsPerCallerMax)",
          headers: again)
      }
    }
  }

  /// Whether the request still has the same caller, with the same rights, as at the beginning of
  /// the stream. False if the client's token or login has ended.
  private static func isAllowed(_ request: WebRequest, _ context: WebContext) -> Bool {
    let caller = try? context.access.caller(
      request.headers, peer: request.peer, host: request.host, now: context.now())
    return caller == request.caller
  }
}
