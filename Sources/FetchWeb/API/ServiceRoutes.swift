import FetchEngine
import FetchStore
import FetchValues

/// The routes for the daemon as a whole, for example for its budget, its pause and its config.
enum ServiceRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/api/v1/budget", needs: .scope(.read),
      answer: .lines("Limit", APIFields.limit), problems: [.noDaemon],
      "Returns the limits of the budget of all jobs and of the jobs' own budgets, with the amounts"
        + " that are still available"
    ) { request, context async throws(WebProblem) in
      let lines = try await context.control.lines(.budget)
      return LineAnswer(lines.filter { $0["job"]?.stringValue.map(request.caller.sees) ?? true })
        .response(to: request)
    },
    Route(
      "GET", "/api/v1/skips", needs: .scope(.read),
      parameters: [APIParameters.ofJob, APIParameters.limit],
      answer: .lines("Skip", APIFields.skip), problems: [.unknownJob, .noStore],
      "Returns the last skipped runs, the latest first"
    ) { request, context async throws(WebProblem) in
      let job = try request.seenJob()
      let (caller, limit) = (request.caller, request.limit)
      let scannedMax = request.hidesRows ? ReadBounds.rowsScannedMax : limit
      let skips = try await context.store.read { view async throws(StoreError) in
        if let job, try await !view.reader.hasJob(job) { throw .unknownJob(job) }
        let all = try await view.reader.skips(job: job, limit: scannedMax)
        return Array(all.filter { caller.sees($0.job) }.prefix(limit))
      }
      return LineAnswer(skips.map(\.line)).response(to: request)
    },
    Route(
      "GET", "/api/v1/overview", needs: .scope(.read),
      answer: .object("Overview", APIFields.overview), problems: [.noStore],
      "Returns a summary of all jobs; without a daemon, a summary of the data in the store"
    ) { request, context async throws(WebProblem) in
      try request.requireAllJobs()
      return .object(try await overview(context))
    },
    Route(
      "GET", "/api/v1/lanes", needs: .scope(.read),
      answer: .lines("Lane", APIFields.lane), problems: [.noDaemon],
      "Returns the lanes that are in use or closed"
    ) { request, context async throws(WebProblem) in
      try request.requireAllJobs()
      return LineAnswer(try await context.control.lines(.lanes)).response(to: request)
    },
    Route(
      "POST", "/api/v1/pause", needs: .scope(.act),
      answer: .object("Pause", APIFields.pause), problems: [.refused, .noDaemon],
      "Pauses all jobs: no run starts until this pause ends"
    ) { request, context async throws(WebProblem) in
      try request.requireAllJobs()
      return .object(try await context.control.line(.pause(.all)))
    },
    Route(
      "POST", "/api/v1/resume", needs: .scope(.act),
      answer: .object("Pause", APIFields.pause), problems: [.refused, .noDaemon],
      "Ends the pause of all jobs; jobs that are paused individually stay paused"
    ) { request, context async throws(WebProblem) in
      try request.requireAllJobs()
      return .object(try await context.control.line(.resume(.all)))
    },
    Route(
      "POST", "/api/v1/reload", needs: .scope(.grant),
      answer: .object("Reload", [RouteField("reloaded", .flag)]),
      problems: [.invalidConfig, .noDaemon],
      "Reads the config again; if it has errors, the previous one stays in use"
    ) { request, context async throws(WebProblem) in
      try request.requireAllJobs()
      try await reload(context)
      return .object(["reloaded": true])
    },
    Route(
      "GET", "/api/v1/tokens", needs: .scope(.grant),
      answer: .lines("Token", APIFields.token), problems: [.internalError],
      "Returns the tokens, without their secrets"
    ) { request, context async throws(WebProblem) in
      try request.requireAllJobs()
      do throws(AccessFileError) {
        let tokens = try context.access.file.records().tokens
        return LineAnswer(tokens.map { .object($0.shownValue) }).response(to: request)
      } catch { throw WebProblem(.internalError, 500, error.description) }
    },
  ]

  private static func overview(_ context: WebContext) async throws(WebProblem) -> Value {
    do throws(WebProblem) { return try await context.control.line(.overview) } catch {
      guard error.word == .noDaemon else { throw error }
      return try await context.store.read { view async throws(StoreError) in
        try await view.queries.overview(disabled: context.disabledJobs).value
      }
    }
  }

  private static func reload(_ context: WebContext) async throws(WebProblem) {
    let (lines, end) = try await context.control.answer(.reload)
    guard end.status != 0 else { return }
    let errors = lines.map { line in
      let place = [line["file"]?.stringValue, line.number("line"), line.number("column")]
        .compactMap(\.self).joined(separator: ":")
      return WebProblem.Part(
        pointer: nil, parameter: nil, "\(place): \(line["message"]?.stringValue ?? "")")
    }
    throw WebProblem(
      .invalidConfig, 422, end.message ?? "the config was not reloaded", errors: errors)
  }
}

extension SkipRecord {
  fileprivate var line: Value {
    ["job": .string(job.text), "at": .string(at.description), "reason": .string(reason)]
  }
}

extension Value {
  fileprivate func number(_ key: String) -> String? { self[key]?.integerValue.map(String.init) }
}
