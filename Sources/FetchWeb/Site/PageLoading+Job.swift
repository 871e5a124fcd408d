import FetchEngine
import FetchModel
import FetchStore
import FetchValues

extension PermissionsPage {
  static func load(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> PermissionsPage {
    let job = try request.pathJob()
    let value = try await JobRoutes.line(.permissions(job: job), request, context)
    return PermissionsPage(
      job: job.text, requested: phrases(value["asks"]), missing: phrases(value["missing"]),
      hash: value["hash"]?.stringValue)
  }

  /// Returns the phrases that describe the permissions in the list.
  private static func phrases(_ list: Value?) -> [String] {
    (list?.arrayValue ?? []).compactMap { AskedPermission($0)?.phrase }
  }
}

extension JobPage {
  private static let runsMax = 20
  private static let costRunsMax = 200
  private static let itemsMax = 10
  private static let skipsMax = 10
  private static let queueMax = 20
  /// The maximum number of stored deliveries of all jobs. With more deliveries, the page shows
  /// none, because finding the job's deliveries would take too long.
  private static let allDeliveriesMax = 2_000
  /// The maximum number of items whose delay the plot shows. If the items are large, the plot shows
  /// fewer: see `ReadBounds.pageBytesMax`.
  private static let delaysMax = 200
  private static let delayPeriod: Duration = .seconds(30 * 86_400)
  private static let planHours = 24

  static func load(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> JobPage {
    let job = try request.pathJob()
    do throws(WebProblem) { return try await known(job, request, context) } catch {
      guard error.word == .unknownJob, await isStored(job, context) else { throw error }
      return try await onlyStored(job, request, context)
    }
  }

  /// Loads the page of a job that the daemon has.
  private static func known(
    _ job: JobName, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> JobPage {
    let span = TimelinePlot.Span.week(request.now)
    guard
      let status = StatusLine(
        try await JobRoutes.line(.status(job: job), request, context))
    else {
      throw WebProblem.unreadable
    }
    let explained = try await context.control.lines(.explain(job: job))
      .compactMap { ExplainLine($0) }
    let marks = try await TimelinePlot.marks(of: [job], span, hours: planHours, context)
    var page = JobPage(status, week: TimelinePlot(span, marks[job] ?? []))
    page.sentences = explained.map(\.sentence)
    page.gates = (explained.first?.gates ?? []).map {
      Gate(name: $0.gate, isOpen: $0.isOpen, why: $0.why)
    }
    page.needsGrant = page.gates.contains { $0.name == GateLine.grant && !$0.isOpen }
    try await page.read(job, request, context)
    return page
  }

  /// Loads the page of a job that the daemon does not have, with the data of the store alone.
  private static func onlyStored(
    _ job: JobName, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> JobPage {
    guard let status = StatusLine(["job": .string(job.text), "state": "unknown"]) else {
      throw WebProblem.unreadable
    }
    let span = TimelinePlot.Span.week(request.now)
    let marks = try await TimelinePlot.marks(of: [job], span, hours: nil, context)
    var page = JobPage(status, week: TimelinePlot(span, marks[job] ?? []))
    page.isOnlyStored = true
    page.sentences = [
      "The daemon has no job of this name: it is not in the config, so it does not run by itself."
    ]
    try await page.read(job, request, context)
    return page
  }

  private static func isStored(_ job: JobName, _ context: WebContext) async -> Bool {
    let found = try? await context.store.read { view async throws(StoreError) in
      try await view.reader.hasJob(job)
    }
    return found ?? false
  }

  /// Reads the job's data from the store, if the store has the job.
  private mutating func read(
    _ job: JobName, _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) {
    let hooks = context.hooks
    let found = try await context.store.read { view async throws(StoreError) -> Stored? in
      guard try await view.reader.hasJob(job) else { return nil }
      var stored = Stored()
      stored.runs = try await view.queries.runs(
        RunQuery(job: job, limit: Self.costRunsMax), after: nil
      ).elements
      let query = ItemQuery(job: job, limit: Self.delaysMax)
      var page = try await view.queries.items(query, after: nil)
      stored.items = page.elements
      // Pages of large items are short.
      while stored.items.count < Self.itemsMax, let next = page.next {
        page = try await view.queries.items(query, after: next)
        stored.items += page.elements
      }
      stored.skips = try await view.reader.skips(job: job, limit: Self.skipsMax)
      stored.transfers = try await view.queries.transfers(job: job, endedLimit: Self.queueMax)
      let counts = try await view.queries.deliveryCounts()
      if counts.pending + counts.dead <= Self.allDeliveriesMax {
        stored.deliveries = try await view.queries.deliveries(
          onlyDead: false, hook: nil, hooks: { hooks }
        ).filter { $0.job == job }
      }
      return stored
    }
    guard let found else { return }
    runs = Array(found.runs.prefix(Self.runsMax))
    cost = JobCost(found.runs)
    items = found.items.prefix(Self.itemsMax).map { ItemsPage.Row($0) }
    skips = found.skips
    transfers = Array(found.transfers.prefix(Self.queueMax))
    deliveries = Array(found.deliveries.prefix(Self.queueMax))
    let start = request.now + .seconds(-Self.delayPeriod.components.seconds)
    delays = DelayPlot(
      found.items.compactMap { item in
        guard item.change == .added, item.seenAt > start,
          let published = item.published.flatMap(Timestamp.init(rfc3339:))
        else { return nil }
        return item.seenAt - published
      })
  }

  private struct Stored: Sendable {
    var runs: [RunRecord] = []
    var items: [StoredItem] = []
    var skips: [SkipRecord] = []
    var transfers: [TransferRecord] = []
    var deliveries: [Delivery] = []
  }
}
