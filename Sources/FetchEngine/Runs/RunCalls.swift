import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// The host's side of one run while it goes on: answers its calls and stores its checkpoints. How it
/// ends is told by `RunEnding`.
final class RunCalls: HostCallHandler {
  let pipeline: RunPipeline
  let job: Job
  let snapshot: JobSnapshot
  let record: RunRecord
  /// When its plugin's own time began.
  let begunAt: ContinuousClock.Instant
  let session: HTTPSession
  let files: RunFiles
  let transfers: RunTransfers
  /// The ended transfer that this run is about.
  let transfer: TransferRecord?
  /// Not by `==`, which compares, and copies, whole records.
  var isOfTransfer: Bool { if case .some = transfer { true } else { false } }
  let decision: GrantDecision
  /// Nil where the job has none.
  private let secrets: RunSecrets?
  /// Where the answers of failed runs are kept.
  let recorder: HopRecorder?
  /// Nil where no hook file has a word in the run.
  let hooks: RunHooks?
  /// See `Validators.reading`.
  let reading: [UInt8]
  /// What checkpoints have stored already.
  private let stored = Mutex(StoredSoFar())
  var soFar: StoredSoFar { stored.withLock { $0 } }

  /// What was asked before the plugin woke, until the plugin asks for it.
  private let asked = Mutex<Asked?>(nil)

  private struct Asked {
    var request: HTTPRequest
    var answer: Result<HTTPAnswer, Failure>
  }

  struct StoredSoFar {
    var counts = ChangeCounts()
    var lines: [StoredItem] = []
    var newsCount = 0
    var itemCount = 0
    /// Items that a first run stored without news.
    var silentCount = 0
    var transferCount = 0
    var shown: Set<ItemKey> = []
    /// The bytes that the items take in the store.
    var byteCount = 0
    /// Checkpoints, by which the deliveries of a run are told apart.
    var partCount = 0
    /// Items that had something in them, and those that had nothing.
    var (givenCount, emptyCount) = (0, 0)
  }

  init(
    pipeline: RunPipeline, job: Job, snapshot: JobSnapshot, record: RunRecord,
    transfer: TransferRecord?, hooks: RunHooks?, decision: GrantDecision,
    begunAt: ContinuousClock.Instant
  ) {
    self.pipeline = pipeline
    self.begunAt = begunAt
    self.decision = decision
    self.transfer = transfer
    self.hooks = hooks
    reading = hooks?.reading(job.reading) ?? job.reading
    self.job = job
    self.snapshot = snapshot
    self.record = record
    files = RunFiles(
      places: pipeline.services.files, job: job, followUp: pipeline.services.followUp,
      isRehearsal: pipeline.services.settings.isRehearsal)
    secrets = job.secrets(pipeline.services.secrets)
    transfers = RunTransfers(store: pipeline.services.store, job: job, secrets: secrets)
    recorder =
      pipeline.keeping.countMax > 0
      ? HopRecorder(
        pipeline.services.http, bytesMax: KeptRun.runBytesMax, allowance: pipeline.keeping.allowance
      )
      : nil
    var policy = pipeline.services.settings.policy
    policy.leftAlone = pipeline.services.settings.leftAlone
    session = HTTPSession(
      transport: recorder ?? pipeline.services.http, grant: job.grant, policy: policy,
      validators: snapshot.validators.usable(for: reading), deadline: .now + job.limits.window,
      waits: TurnWaits(max: job.limits.waiting, lanes: policy.lanes), limits: job.limits,
      secrets: secrets, clock: pipeline.services.time.clock, now: pipeline.services.time.now)
  }

  // MARK: Before the plugin wakes

  /// Why the plugin may not run; nil where it may.
  var refusal: Failure? {
    job.plugin.loadFailure
      ?? decision.failure(
        of: .job(job.name), file: job.plugin.path, followUp: pipeline.services.followUp)
  }

  /// What a server tells of them is redacted also where this run sends none.
  func learnSecrets() async { await secrets?.learn() }

  /// Whether the address the plugin wakes on answers as last time, so that it need not. Any other
  /// answer, a failure too, is kept for the plugin, which asks for nothing twice.
  func findNothingNew() async -> Bool {
    guard let url = job.wakeURL, !session.known.isEmpty else { return false }
    let request = HTTPRequest(url: url)
    let answer = await session.send(request)
    if case .success(let answer) = answer, answer.notModified || answer.sameBody { return true }
    asked.withLock { $0 = Asked(request: request, answer: answer) }
    return false
  }

  private func send(_ request: HTTPRequest) async -> Result<HTTPAnswer, Failure> {
    let kept = asked.withLock { asked in
      guard asked?.request == request else { return nil as Result<HTTPAnswer, Failure>? }
      defer { asked = nil }
      return asked?.answer
    }
    if let kept { return kept }
    return job.explained(await session.send(request), of: request.url, pipeline.services.followUp)
  }

  // MARK: Host calls

  func answer(_ call: HostCall) async -> HostCallAnswer {
    switch call.name {
    case HTTPCall.name:
      await HTTPCall.answer(call, waits: session.waits) { request in await send(request) }
    case HostCall.checkpointName: await checkpoint(call)
    case let name where FilesCall.isName(name): await files.answer(call)
    case TransferCall.name: await transfers.answer(call)
    default: .raises("the host knows no call '\(call.name)'")
    }
  }

  // MARK: Checkpoints

  /// Stores the items since the last checkpoint and the state, in one transaction. Validators wait
  /// for the end: an ETag stored before all its items would lose the rest at the next 304.
  private func checkpoint(_ call: HostCall) async -> HostCallAnswer {
    let turn = await pipeline.services.workers.largeResults.turn(weight: call.weight)
    defer { withExtendedLifetime(turn) {} }
    switch call.products(job.limits) {
    case .failure(let failure): return .raises(failure.message)
    case .success(let products):
      if let failure = countEmpty(products) { return .raises(failure.message) }
      var products = session.redactor.redacted(products)
      if let hooks, !(await hooks.apply(to: &products)) {
        return .raises(RunHooks.cancelled.message)
      }
      do throws(StoreError) {
        var commit = RunCommit(record: record)
        commit.part = .checkpoint
        commit.identity = job.identity
        let shown = stored.withLock { $0.shown }
        commit.changes = try await changes(products.items, rules, isWhole: false, earlier: shown)
        if let failure = refusal(of: commit.changes) { return .raises(failure.message) }
        commit.state = products.state
        commit.transfers = transfers.take()
        commit.grant = decision.kept
        let earlier = stored.withLock { $0.counts }
        commit.record.outcome = .newData(earlier + commit.changes.counts)
        commit.deliveries = await deliveries(of: commit, isEnd: false)
        let receipt = try await pipeline.services.store.commit(commit)
        stored.withLock { stored in
          stored.counts = stored.counts + commit.changes.counts
          stored.itemCount += commit.changes.itemCount
          stored.silentCount += commit.changes.silentCount
          stored.shown.formUnion(commit.changes.shown)
          stored.byteCount += receipt.byteCount
          stored.partCount += 1
          stored.transferCount += commit.transfers.count
        }
        tell(commit, receipt)
        return .values([])
      } catch {
        return .raises(error.message)
      }
    }
  }

  // MARK: Empty items

  /// Notes how many of the items of a part of the run have nothing in them; a failure where all have,
  /// and all before.
  func countEmpty(_ products: WorkerProducts) -> Failure? {
    stored.withLock { stored in
      stored.givenCount += products.items.count
      stored.emptyCount += products.emptyItems.count
      return stored.givenCount == 0 ? products.emptyItems.failure : nil
    }
  }

  /// What the log says of items that were left out; nil where none was, or the run failed for them.
  private var emptyNote: LogLine? {
    let (given, empty) = stored.withLock { ($0.givenCount, $0.emptyCount) }
    if given == 0 || empty == 0 { return nil }
    return LogLine(
      .warning,
      empty == 1
        ? "1 item has nothing in it and is left out"
        : "\(empty) items have nothing in them and are left out")
  }

  // MARK: What is told

  /// What a part of the run has stored is for others from now on.
  func tell(_ commit: RunCommit, _ receipt: CommitReceipt) {
    if !commit.transfers.isEmpty { pipeline.services.settings.onTransfers() }
    if receipt.deliveryCount > 0 { pipeline.services.settings.onDeliveries() }
    if case .none = pipeline.services.settings.news { return }
    let news = receipt.news(of: commit)
    if case .each(let show) = pipeline.services.settings.news { return news.forEach(show) }
    stored.withLock { stored in
      stored.newsCount += news.count
      stored.lines += news
      if case .last(let count) = pipeline.services.settings.news {
        stored.lines = Array(stored.lines.suffix(count))
      }
    }
  }

  /// The deliveries that notify hooks of a part of the run.
  func deliveries(
    of commit: RunCommit, isEnd: Bool, history: DeliveryHistory? = nil
  ) async -> [NewDelivery] {
    if job.isGuest { return [] }
    let hooks = pipeline.hooks.hooks(of: job.name, plugin: commit.record.plugin)
    if hooks.isEmpty { return [] }
    let part = stored.withLock { $0.partCount }
    let rule = DeliveryRule(hooks: hooks, record: commit.record, now: pipeline.services.time.now())
    let changes = await withLastVersions(commit.changes.changes, for: hooks)
    return rule.deliveries(of: changes, part: part, isEnd: isEnd, history: history)
  }

  /// The changes, with what removed items were called last where a hook is notified of them.
  private func withLastVersions(
    _ changes: [ItemChange], for hooks: [HookConfig]
  ) async -> [ItemChange] {
    let gone = changes.filter { $0.kind == .removed }.map(\.key)
    guard !gone.isEmpty, hooks.contains(where: { $0.events.contains(.removed) }) else {
      return changes
    }
    // Without the titles the removal is still told.
    let store = pipeline.services.store
    let last = (try? await store.lastVersions(job: job.name, keys: gone)) ?? [:]
    return changes.map { change in
      var change = change
      if change.kind == .removed { change.last = last[change.key] }
      return change
    }
  }

  /// The plugin's lines, those of hooks, and what the host has to say of the job's grant and
  /// secrets; equal ones are one line with a count.
  func logs(_ lines: [LogLine]) -> [LogLine] {
    let lines =
      (decision.note(after: snapshot.grant).map { [$0] } ?? []) + lines
      + (emptyNote.map { [$0] } ?? []) + (hooks?.logs ?? [])
    guard let secrets else { return LogLine.counted(lines) }
    let redactor = secrets.redactor
    return LogLine.counted(
      lines.map(redactor.redacted)
        + secrets.notices.map { LogLine(.warning, redactor.redacted($0)) })
  }

  func changes(
    _ items: [ParsedItem], _ rules: ItemRules, isWhole: Bool, earlier: Set<ItemKey> = []
  ) async throws(StoreError) -> RunChanges {
    if items.isEmpty, !(rules.complete && isWhole) { return RunChanges() }
    var rules = rules
    let isFirstRun = isOfFirstRun
    if isFirstRun, case .latest(let count) = rules.firstRun {
      // Those of all parts together, and of first runs that failed after a checkpoint.
      let told = try await pipeline.services.store.newsCount(of: job.name, max: count)
      rules.firstRun = .latest(max(0, count - told))
    }
    let identified = IdentifiedItems(items, rules: rules)
    let known = try await pipeline.services.store.known(identified, of: snapshot, rules: rules)
    return Diff.decide(
      identified, rules: rules, known: known, isFirstRun: isFirstRun, isWhole: isWhole,
      earlier: earlier, now: record.startedAt)
  }

  /// Whether what the run gives belongs to the job's first result: no run has had one yet, or the run
  /// is about a transfer that was queued before the end of the first.
  var isOfFirstRun: Bool {
    guard let first = snapshot.firstResultAt else { return true }
    return transfer.map { $0.createdAt <= first } ?? false
  }

  var rules: ItemRules { job.rules }
}

extension [ExactText: Validators] {
  /// Those that belong to this reading of the bodies, by plain text: addresses are ASCII.
  fileprivate func usable(for reading: [UInt8]) -> [String: Validators] {
    var usable: [String: Validators] = [:]
    for (url, validators) in self where validators.reading == reading {
      usable[url.text] = validators
    }
    return usable
  }
}
