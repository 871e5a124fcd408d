import FetchEngine
import FetchModel
import FetchStore
import FetchValues

extension ItemsPage {

  static func load(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> ItemsPage {
    let job = try request.seenJob()
    let before = request.integer("before")
    let rowsMax = request.rowsMax ?? 50
    let (found, earlier, isCut) = try await context.store.read { view async throws(StoreError) in
      if let job, try await !view.reader.hasJob(job) { throw .unknownJob(job) }
      // One item more than the page shows tells whether another page follows.
      let mark = before.map { PageMark.sequence($0, left: rowsMax + 1) }
      let page = try await view.queries.items(
        ItemQuery(job: job, limit: rowsMax + 1), after: mark)
      var earlier: [Int64: StoredItem] = [:]
      for item in page.elements.prefix(rowsMax) where item.change == .updated {
        earlier[item.sequence] = try await view.reader.version(before: item)
      }
      return (page.elements, earlier, page.next != nil)
    }
    let items = found.prefix(rowsMax)
    let rows = items.filter { request.caller.sees($0.job) }.map { item in
      Row(
        item,
        difference: earlier[item.sequence].map { ItemDiff.hunks(from: $0, to: item) })
    }
    var page = ItemsPage(job: job?.text, rows: rows)
    (page.seenSequence, page.seenAt) = context.access.seen(of: request.caller, now: request.now)
    page.rowsMax = rowsMax
    if found.count > rowsMax || isCut, let last = items.last {
      page.next = request.page([("before", "\(last.sequence)")])
    }
    return page
  }
}

extension HistoryStore {
  /// Returns the version of an item before the given version; nil if there is none.
  fileprivate func version(before item: StoredItem) async throws(StoreError) -> StoredItem? {
    try await versions(job: item.job, key: item.key).first { $0.sequence < item.sequence }
  }
}

extension ItemPage {
  static func load(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> ItemPage {
    let item = try await ItemRoutes.item(request, context)
    let versions = try await ItemRoutes.versions(request, context)
    guard let index = versions.firstIndex(where: { $0.sequence == item.sequence }) else {
      // The version is older than the listed ones, so the page shows it without the list.
      return ItemPage(versions: [item], index: 0, difference: nil)
    }
    let older = versions.indices.contains(index + 1) ? versions[index + 1] : nil
    return ItemPage(
      versions: versions, index: index,
      difference: older.map { ItemDiff.hunks(from: $0, to: item) })
  }
}

extension RunsPage {

  static func load(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> RunsPage {
    let job = try request.seenJob()
    let outcome = request.text("outcome")
    let rowsMax = request.rowsMax ?? 100
    let before = request.integer("before")
    let found = try await context.store.read { view async throws(StoreError) in
      // The message of `runs` about an unknown job could name a hidden job.
      if let job, try await !view.reader.hasJob(job) { throw .unknownJob(job) }
      return try await view.queries.runs(
        RunQuery(job: job, outcome: outcome.flatMap(OutcomeKind.init(rawValue:)), limit: rowsMax),
        after: before.map { .row($0) })
    }
    var page = RunsPage(
      job: job?.text, outcome: outcome, runs: found.elements.filter { request.caller.sees($0.job) })
    page.rowsMax = rowsMax
    if case .row(let row)? = found.next { page.next = request.page([("before", "\(row)")]) }
    return page
  }
}

extension RunPage {
  static func load(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> RunPage {
    let found = try await RunRoutes.run(request, context)
    var page = RunPage(found.record, isReplayable: found.whyNot == nil)
    if request.caller.may(.act) {
      // The store also has runs of jobs that the daemon does not have.
      let status = try? await context.control.line(.status(job: found.record.job))
      page.canRunAgain = status.flatMap { StatusLine($0) }?.canRun ?? false
    }
    return page
  }
}

extension BudgetPage {
  static func load(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> BudgetPage {
    try request.requireAllJobs()
    let lines = try await context.control.lines(.budget).map { value throws(WebProblem) in
      guard let line = LedgerLine(value) else { throw WebProblem.unreadable }
      return line
    }
    let lanes = try await context.control.lines(.lanes).map { value throws(WebProblem) in
      guard let line = LaneLine(value) else { throw WebProblem.unreadable }
      return line
    }
    return BudgetPage(lines: lines, lanes: Array(lanes.prefix(100)))
  }
}

extension DeliveriesPage {
  private static let rowsMax = 200

  static func load(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> DeliveriesPage {
    try request.requireAllJobs()
    let state = request.text("state").flatMap(DeliveryState.init)
    let onlyDead = state == .dead
    let found = try await context.store.read { view async throws(StoreError) in
      try await view.queries.deliveries(onlyDead: onlyDead, hook: nil, hooks: { nil })
    }
    // Deliveries that were given up need the user's attention, so they come first.
    let shown = found.filter { state == nil || $0.state == state }
    let sorted = shown.filter { $0.state == .dead } + shown.filter { $0.state != .dead }
    return DeliveriesPage(Array(sorted.prefix(rowsMax)), onlyDead: onlyDead)
  }
}

extension TransfersPage {
  private static let rowsMax = 200

  static func load(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> TransfersPage {
    try request.requireAllJobs()
    let found = try await context.store.read { view async throws(StoreError) in
      try await view.queries.transfers(job: nil, endedLimit: 50)
    }
    return TransfersPage(Array(found.prefix(rowsMax)))
  }
}

extension AboutPage {
  static func load(_ request: WebRequest, _ context: WebContext) async -> AboutPage {
    var page = AboutPage(version: Product.version)
    page.checks = await MonitoringRoutes.report(context).checks
    guard request.caller.seesAllJobs else { return page }
    page.store = context.store.address.path
    // The check runs a plugin in a worker, so a busy daemon may not answer soon.
    let findings = try? await context.control.lines(.doctor, timeout: MonitoringRoutes.patience)
    page.findings = (findings ?? []).compactMap(Finding.init)
    return page
  }
}

extension TokensPage {
  static func load(_ request: WebRequest, _ context: WebContext) throws(WebProblem) -> TokensPage {
    try request.requireAllJobs()
    let records: AccessRecords
    do throws(AccessFileError) { records = try context.access.file.records() } catch {
      throw WebProblem(.internalError, 500, error.description)
    }
    return TokensPage(
      records.tokens.map { token in
        Row(
          name: token.name, scopes: token.scopes.map(\.rawValue).sorted(),
          jobs: token.jobs?.joined(separator: ", "), expiresAt: token.expiresAt,
          usedAt: token.lastUsedAt)
      })
  }
}
