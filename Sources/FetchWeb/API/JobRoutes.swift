import FetchEngine
import FetchModel
import FetchValues

/// The routes for jobs, for the actions on a job, and for a job's permissions.
enum JobRoutes {
  static let all: [Route] = shown + actions + permissions

  private static let shown: [Route] = [
    Route(
      "GET", "/api/v1/jobs", needs: .scope(.read),
      parameters: [
        RouteParameter(
          "state", .choice(JobState.allCases.map(\.rawValue)), "only jobs in this state"),
        RouteParameter(
          "match", .name,
          "only jobs whose name contains this text or matches this pattern, such as `news*`"),
        RouteParameter(
          "failing", .choice(["true"]),
          "only jobs that have failed since their last success, or whose plugin does not load"
        ),
        RouteParameter("after", .name, "the place where the previous page ended: a job's name"),
        APIParameters.limit,
      ],
      answer: .lines("JobState", APIFields.status), problems: [.noDaemon],
      "Returns the states of the jobs, sorted by name"
    ) { request, context async throws(WebProblem) in
      let list = JobList(request)
      // One job more than the page may have tells whether another page follows.
      let lines = try await context.control.states(
        list.filter, count: request.limit + 1, for: request.caller)
      return list.answer(lines).response(to: request)
    },
    Route(
      "GET", "/api/v1/jobs/{job}", needs: .scope(.read), parameters: [APIParameters.job],
      answer: .object("JobState", APIFields.status), problems: [.unknownJob, .noDaemon],
      "Returns the state of a job"
    ) { request, context async throws(WebProblem) in
      .object(try await line(.status(job: request.pathJob()), request, context))
    },
    Route(
      "GET", "/api/v1/jobs/{job}/explain", needs: .scope(.read), parameters: [APIParameters.job],
      answer: .lines("Sentence", APIFields.sentence), problems: [.unknownJob, .noDaemon],
      "Returns sentences that explain why a job runs or does not run"
    ) { request, context async throws(WebProblem) in
      LineAnswer(try await lines(.explain(job: request.pathJob()), request, context))
        .response(to: request)
    },
    Route(
      "GET", "/api/v1/jobs/{job}/plan", needs: .scope(.read),
      parameters: [
        APIParameters.job,
        RouteParameter(
          "hours", .integer(1...Int64(PlanLine.hoursMax)),
          usual: .integer(Int64(PlanLine.hoursUsual)), "number of hours to look ahead"),
      ],
      answer: .lines("ExpectedRun", APIFields.expectedRun), problems: [.unknownJob, .noDaemon],
      "Returns the times at which a job is expected to run"
    ) { request, context async throws(WebProblem) in
      let hours = Int(request.integer("hours") ?? Int64(PlanLine.hoursUsual))
      let lines = try await lines(
        .plan(jobs: [request.pathJob()], hours: hours), request, context)
      return LineAnswer(lines).response(to: request)
    },
  ]

  private static let actions: [Route] = [
    Route(
      "POST", "/api/v1/jobs/{job}/run", needs: .scope(.act), parameters: [APIParameters.job],
      answer: .either(
        .object("Trigger", APIFields.trigger, status: 202), .object("Run", APIFields.run)),
      problems: [.unknownJob, .refused, .noDaemon],
      "Requests a run now; with `Prefer: wait=30`, the answer is the run if it ends within 30 s"
    ) { request, context async throws(WebProblem) in
      let job = try request.pathJob()
      if let patience = Preference.wait(request.headers) {
        return try await RunWait(job: job, patience: patience).answer(request, context)
      }
      return .object(
        try await line(.run(.named([job]), skipsInterval: true), request, context), status: 202)
    },
    Route(
      "POST", "/api/v1/jobs/{job}/push", needs: .scope(.push), parameters: [APIParameters.job],
      answer: .object("Trigger", APIFields.trigger, status: 202),
      problems: [.unknownJob, .refused, .noDaemon], "Reports that a job may have new data"
    ) { request, context async throws(WebProblem) in
      let line = try await line(.push(jobs: [request.pathJob()]), request, context)
      context.metrics.pushed("api", line["answer"]?.stringValue ?? "due")
      return .object(line, status: 202)
    },
    Route(
      "POST", "/api/v1/jobs/{job}/pause", needs: .scope(.act), parameters: [APIParameters.job],
      answer: .object("Pause", APIFields.pause), problems: [.unknownJob, .refused, .noDaemon],
      "Pauses a job: no run starts until the job is resumed"
    ) { request, context async throws(WebProblem) in
      .object(try await line(.pause(.named([request.pathJob()])), request, context))
    },
    Route(
      "POST", "/api/v1/jobs/{job}/resume", needs: .scope(.act), parameters: [APIParameters.job],
      answer: .object("Pause", APIFields.pause), problems: [.unknownJob, .refused, .noDaemon],
      "Resumes a paused job"
    ) { request, context async throws(WebProblem) in
      .object(try await line(.resume(.named([request.pathJob()])), request, context))
    },
  ]

  private static let permissions: [Route] = [
    Route(
      "GET", "/api/v1/jobs/{job}/permissions", needs: .scope(.read),
      parameters: [APIParameters.job], answer: .object("Permissions", APIFields.permissions),
      problems: [.unknownJob, .refused, .noDaemon],
      "Returns the permissions that a job's plugin file requests, and those that were granted"
    ) { request, context async throws(WebProblem) in
      .object(try await line(.permissions(job: request.pathJob()), request, context))
    },
    Route(
      "POST", "/api/v1/jobs/{job}/grant", needs: .scope(.grant), parameters: [APIParameters.job],
      body: .json([RouteField("hash", .digits(64))]), answer: .object("Grant", APIFields.grant),
      problems: [.invalidBody, .unsupportedType, .unknownJob, .changed, .noDaemon],
      "Grants the permissions that a job's plugin file requests, if the file still has the hash in"
        + " the body"
    ) { request, context async throws(WebProblem) in
      let hash = try GrantBody.hash(request.body)
      return .object(
        try await line(.agree(job: request.pathJob(), hash: hash), request, context))
    },
  ]

  static func lines(
    _ message: ControlRequest, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> [Value] {
    do throws(WebProblem) { return try await context.control.lines(message) } catch {
      throw request.hidingNames(error)
    }
  }

  static func line(
    _ message: ControlRequest, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> Value {
    guard let line = try await lines(message, request, context).first else {
      throw WebProblem(.noAnswer, 503, "the daemon's answer is empty")
    }
    return line
  }
}

/// One page of the list of jobs.
struct JobList {
  private let request: WebRequest

  init(_ request: WebRequest) { self.request = request }

  /// The selection that is sent to the daemon, without a limit.
  var filter: StatusFilter {
    var filter = StatusFilter()
    filter.states = request.text("state").flatMap(JobState.init).map { [$0] } ?? []
    filter.match = request.text("match")
    filter.isFailing = request.text("failing") != nil
    filter.after = request.text("after")
    return filter
  }

  /// Returns the page for the client.
  ///
  /// - Parameter lines: the lines that the filter selects and the caller may see. The name at the
  ///   end of a page is in the address of the next page, so it must not be the name of a hidden job.
  func answer(_ lines: [Value]) -> LineAnswer {
    var answer = LineAnswer()
    let page = lines.prefix(request.limit)
    var last: String?
    for line in page {
      guard answer.add(line) else {
        answer.next = last.map { [("after", $0)] }
        return answer
      }
      last = line["job"]?.stringValue
    }
    if lines.count > page.count || page.count == StatusFilter.limitMax, let last {
      answer.next = [("after", last)]
    }
    return answer
  }
}

/// The body of a request that grants permissions: `{"hash":"…"}`.
enum GrantBody {
  private static let hashBytesCount = 32
  private static let depthMax = 4

  static func hash(_ body: [UInt8]) throws(WebProblem) -> [UInt8] {
    guard let object = try? JSONReader.decode(body, depthMax: depthMax), case .object = object
    else {
      throw WebProblem(.invalidBody, 400, "the body must be a JSON object with the member `hash`")
    }
    if let other = object.objectValue?.keys.first(where: { $0 != "hash" }) {
      throw problem("it is unknown", at: other)
    }
    let digits = object["hash"]?.stringValue.map { Array($0.utf8) } ?? []
    guard let hash = Hexadecimal.bytes(of: digits), hash.count == hashBytesCount else {
      throw problem(
        "it must be the hash of the plugin file, \(2 * hashBytesCount) hexadecimal digits",
        at: "hash")
    }
    return hash
  }

  private static func problem(_ what: String, at member: String) -> WebProblem {
    WebProblem(
      .invalidBody, 400, "invalid member '\(member.prefix(60))': \(what)",
      errors: [.init(pointer: "/\(member.prefix(60))", what)])
  }
}
