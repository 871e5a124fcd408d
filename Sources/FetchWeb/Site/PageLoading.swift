import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues

extension PageFrame {
  /// The maximum number of changes that are read to count unseen items.
  private static let unseenMax = 100

  /// Reads the data for the parts around a page's content. Leaves out data that cannot be read.
  static func load(_ request: WebRequest, _ context: WebContext) async -> PageFrame {
    let caller = request.caller
    var frame = PageFrame(
      now: request.now,
      viewer: Viewer(
        name: caller.name, acts: caller.may(.act), grants: caller.may(.grant),
        formToken: caller.formToken ?? ""),
      address: request.ownAddress)
    frame.notice = request.text("notice").flatMap(PageNotice.init)?.sentence
    let seen = context.access.seen(of: caller, now: request.now).sequence
    let counts = try? await context.store.read { view async throws(StoreError) in
      let news =
        seen == 0
        ? [] : try await view.reader.changes(ChangeQuery(since: seen, limit: unseenMax)).changes
      return (
        news: news.filter(\.change.isNews), dead: try await view.queries.deliveryCounts().dead
      )
    }
    if let counts {
      frame.unseenCount = seen == 0 ? nil : counts.news.count { caller.sees($0.job) }
      frame.deadCount = caller.seesAllJobs ? counts.dead : 0
    }
    return frame
  }
}

extension Caller {
  /// The text with which the page describes the caller, for example the name of a token.
  fileprivate var name: String {
    switch kind {
    case .local: "the daemon's user"
    case .token(let name): "token \(name)"
    case .session: "logged in"
    case .proxy(let user): user
    case .anonymous: "not logged in"
    }
  }
}

extension OverviewLine {
  /// The sentences about problems of the store and the network: no run can be stored, or the daemon
  /// has found no working network.
  fileprivate func troubles(_ now: Timestamp) -> [String] {
    [
      storeTrouble.map { "No run can be stored: \($0)." },
      offlineSince.map {
        "The daemon has found no working network for \(ShownTime.span(now - $0))."
          + " Jobs that need the network wait."
      },
    ].compactMap(\.self)
  }
}

extension WebRequest {
  /// The maximum number of rows in the query's parameter `rows`; nil without this parameter.
  var rowsMax: Int? { text("rows").flatMap { Int($0) } }

  /// The page's own address, without the query parameter `notice`.
  fileprivate var ownAddress: LocalAddress {
    LocalAddress(ownPath: PageActions.ownPath(link(replacing: [])) ?? "/")
  }

  /// Returns the address of this page with the given parameters replaced.
  func page(_ pairs: [(name: String, value: String)]) -> LocalAddress {
    LocalAddress(ownPath: PageActions.ownPath(link(replacing: pairs)) ?? "/")
  }
}

// MARK: - Overview

extension OverviewPage {
  private static let attentionMax = 20
  private static let planHours = 6

  static func load(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> OverviewPage {
    let span = TimelinePlot.Span.day(request.now)
    let overview = try await overview(context)
    let caller = request.caller
    guard overview.isServed else {
      var page = withoutDaemon(overview, span)
      // The overview also counts jobs that the caller may not see.
      if !caller.seesAllJobs { page.jobCount = 0 }
      return page
    }
    var page = OverviewPage(jobCount: overview.jobs.values.reduce(0, +), span: span)
    page.servingSince = overview.startedAt
    page.nextDueAt = overview.nextDueAt
    page.pausedSince = overview.pausedSince
    page.rowsMax = request.rowsMax ?? 100
    page.troubles = overview.troubles(request.now)
    page.filter = request.text("show").flatMap(Filter.init) ?? .all
    page.match = request.text("match")
    try await page.addAttention(context, caller)
    // One job more than the page shows tells whether another page follows. The name at the end of a
    // page is in the address of the next page, so it must not be the name of a hidden job.
    let found = try await context.control.states(
      page.selection(after: request.text("after")), count: page.rowsMax + 1, for: caller
    ).compactMap { StatusLine($0) }
    let statuses = Array(found.prefix(page.rowsMax))
    page.rows = try await rows(statuses, span, context)
    if found.count > statuses.count, let last = statuses.last {
      page.next = request.page([("after", last.job)])
    }
    if !caller.seesAllJobs {
      let all = try await context.control.lines(.status(job: nil))
      page.jobCount = all.count { caller.sees($0["job"]?.stringValue ?? "") }
    }
    page.budget = try await context.control.lines(.budget).compactMap { LedgerLine($0) }
    let closed = try await context.control.lines(.lanes).compactMap { LaneLine($0)?.closedUntil }
      .filter { $0 > request.now }
    page.closedLaneCount = closed.count
    page.lanesOpenAt = closed.min()
    return page
  }

  private static func overview(_ context: WebContext) async throws(WebProblem) -> OverviewLine {
    do throws(WebProblem) {
      if let line = OverviewLine(try await context.control.line(.overview)) { return line }
    } catch {
      guard error.word == .noDaemon else { throw error }
    }
    // Before the first run, the store may be missing. A missing store is not an error.
    let address = context.store.address
    guard address.isServer || PrivateFile.isThere(address.path) else {
      return OverviewLine(isServed: false)
    }
    return try await context.store.read { view async throws(StoreError) in
      try await view.queries.overview(disabled: context.disabledJobs)
    }
  }

  private static func withoutDaemon(
    _ overview: OverviewLine, _ span: TimelinePlot.Span
  ) -> OverviewPage {
    var page = OverviewPage(jobCount: overview.jobs.values.reduce(0, +), span: span)
    page.isServed = false
    page.nextDueAt = overview.nextDueAt
    page.pausedSince = overview.pausedSince
    return page
  }

  /// Returns the selection of the jobs on the page, without a limit.
  private func selection(after: String?) -> StatusFilter {
    var selection = StatusFilter()
    selection.match = match
    selection.after = after
    switch filter {
    case .all: break
    case .failing: selection.isFailing = true
    case .running: selection.states = [.running]
    case .waiting: selection.states = [.waiting]
    case .paused: selection.states = [.paused]
    }
    return selection
  }

  /// Adds the failing jobs that the caller may see.
  private mutating func addAttention(
    _ context: WebContext, _ caller: Caller
  ) async throws(WebProblem) {
    var failing = StatusFilter()
    failing.isFailing = true
    // With a limit, jobs that the caller may not see could take the places of other jobs.
    failing.limit = caller.seesAllJobs ? StatusFilter.limitMax : nil
    let lines = try await context.control.lines(.status(job: nil, failing))
      .compactMap { StatusLine($0) }.filter { caller.sees($0.job) }
    attentionCount = lines.count
    attention = lines.prefix(Self.attentionMax).map { line in
      Attention(job: line.job, why: line.why, action: Self.action(for: line))
    }
  }

  private static func action(for line: StatusLine) -> Attention.Action? {
    if line.isHeld { return .review }
    if line.pausedAt != nil { return .resume }
    return line.canRun ? .run : nil
  }

  private static func rows(
    _ statuses: [StatusLine], _ span: TimelinePlot.Span, _ context: WebContext
  ) async throws(WebProblem) -> [Row] {
    let names = statuses.map { JobName($0.job) }
    if names.isEmpty { return [] }
    let marks = try await TimelinePlot.marks(of: names, span, hours: planHours, context)
    return statuses.map { Row($0, TimelinePlot(span, marks[JobName($0.job)] ?? [])) }
  }
}

extension TimelinePlot {
  /// Reads the ended and the planned runs of jobs in a span. If `hours` is nil, reads only the
  /// ended runs.
  static func marks(
    of names: [JobName], _ span: Span, hours: Int?, _ context: WebContext
  ) async throws(WebProblem) -> [JobName: [Mark]] {
    let ended = try await context.store.read { view async throws(StoreError) in
      try await view.queries.runMarks(of: names, from: span.start, until: span.now)
    }
    var marks: [JobName: [Mark]] = [:]
    for job in ended {
      marks[job.job] = job.marks.map { Mark(Kind($0.outcome), at: $0.startedAt) }
    }
    guard let hours else { return marks }
    var rest = names[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(PlanLine.jobsMax))
      rest = rest.dropFirst(PlanLine.jobsMax)
      let planned = try await context.control.lines(.plan(jobs: part, hours: hours))
      for run in planned.compactMap({ PlanLine($0) }) {
        marks[JobName(run.job), default: []].append(Mark(.planned, at: run.at))
      }
    }
    return marks
  }
}

extension TimelinePlot.Kind {
  fileprivate init(_ outcome: OutcomeKind) {
    self =
      switch outcome {
      case .newData: .newData
      case .noData: .noData
      case .failed: .failed
      }
  }
}
