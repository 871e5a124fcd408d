import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The routes for ended runs.
enum RunRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/api/v1/runs", needs: .scope(.read),
      parameters: [
        APIParameters.ofJob,
        RouteParameter(
          "outcome", .choice(APIFields.outcomes), "only runs with this outcome"),
        RouteParameter(
          "before", .positive,
          "the position where the previous page ended: `before` in its `next` address"),
        APIParameters.limit,
      ],
      answer: .lines("Run", APIFields.run), problems: [.unknownJob, .noStore],
      "Returns the ended runs, newest first"
    ) { request, context async throws(WebProblem) in
      let job = try request.seenJob()
      var query = RunQuery(
        job: job, outcome: request.text("outcome").flatMap(OutcomeKind.init), limit: request.limit)
      let mark = request.integer("before").map(PageMark.row)
      while true {
        let page = try await context.store.read { [query] view async throws(StoreError) in
          if let job, try await !view.reader.hasJob(job) { throw .unknownJob(job) }
          return try await view.queries.runs(query, after: mark)
        }
        var answer = LineAnswer()
        let full = page.elements.firstIndex { record in
          request.caller.sees(record.job) && !answer.add(json: record.json)
        }
        // If the lines of a page do not fit into the answer, the page is read again with only the
        // runs that fit. The next page begins after these runs. The first line always fits.
        if let full, full > 0 {
          query.limit = full
          continue
        }
        if case .row(let row)? = page.next { answer.next = [("before", String(row))] }
        return answer.response(to: request)
      }
    },
    Route(
      "GET", "/api/v1/runs/{run}", needs: .scope(.read),
      parameters: [
        RouteParameter(
          "run", .text(scalarsMax: 36), in: .path, example: "01a20b60-fb07-7b09-8389-f3a9482929f5",
          "id of a run")
      ],
      answer: .object("OneRun", APIFields.oneRun), problems: [.unknownRun, .noStore],
      "Returns a run, and whether it can be replayed"
    ) { request, context async throws(WebProblem) in
      let found = try await run(request, context)
      return .object(json: Self.json(of: found.record, whyNot: found.whyNot))
    },
  ]

  /// Returns the run that the path names, and the reason why the run cannot be replayed. The reason
  /// is nil if the run can be replayed.
  static func run(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> (record: RunRecord, whyNot: String?) {
    let name = request.text("run") ?? ""
    let missing = WebProblem(
      .unknownRun, 404, "there is no ended run '\(name)'; it may have been pruned")
    guard let id = RunID(name) else { throw missing }
    let (found, whyNot) = try await context.store.read { view async throws(StoreError) in
      try await run(id, view)
    }
    guard let found, request.caller.sees(found.job) else { throw missing }
    return (found, whyNot)
  }

  private static func run(
    _ id: RunID, _ view: WebStore.View
  ) async throws(StoreError) -> (RunRecord?, whyNot: String?) {
    guard let found = try await view.reader.run(named: id.description), found.run == id else {
      return (nil, nil)
    }
    let rows = try await view.queries.keptRuns()
    guard let row = rows.first(where: { $0.run == id }) else {
      return (found, "its answers are not kept")
    }
    return (found, try await view.queries.reasonUnkept(row))
  }

  /// Returns the run's line with the additional members `canBeReplayed` and `whyNot`.
  private static func json(of run: RunRecord, whyNot: String?) -> String {
    let why = (try? JSONWriter.text(.text(whyNot))) ?? "null"
    return run.json.dropLast() + #","canBeReplayed":\#(whyNot == nil),"whyNot":\#(why)}"#
  }
}
