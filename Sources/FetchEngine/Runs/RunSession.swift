import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// The session of one run while it is under way, with its requests, secrets, files and transfers.
/// The session answers the run's host calls and stores the checkpoints. `RunConclusion` decides the
/// run's outcome.
final class RunSession: HostCallHandler {
  let leased: LeasedJob
  let services: RunServices
  /// The time at which the run began. With hooks, it is the time at which the last `before_run`
  /// ended, so that hooks do not use up the plugin's time.
  let begunAt: ContinuousClock.Instant
  let http: HTTPSession
  let files: RunFiles
  let transfers: RunTransfers
  /// The run's secrets; nil if the job has none.
  let secrets: RunSecrets?
  /// The recorder of the run's answers, in case the run fails; nil if no answers are to be kept.
  let recorder: HopRecorder?
  let keeping: FailureKeeping
  /// The hook files that take part in the run; nil if there are none.
  let hooks: RunHooks?
  /// The hooks that receive the events of the run.
  let hookRegistry: HookRegistry
  /// The hash of everything that determines how the run reads a body: see `Validators.reading`.
  let reading: [UInt8]
  let stored = Mutex(StoredParts())

  /// The request that the session sent before the plugin started, with its answer or failure. Nil
  /// if there was no such request, or after the plugin has made the same request.
  private let asked = Mutex<Asked?>(nil)

  private struct Asked {
    var request: HTTPRequest
    var answer: Result<HTTPAnswer, Failure>
  }

  init(
    _ leased: LeasedJob, hooks: RunHooks?, begunAt: ContinuousClock.Instant,
    of pipeline: RunPipeline
  ) {
    let services = pipeline.services
    self.begunAt = begunAt
    self.leased = leased
    self.services = services
    self.hooks = hooks
    hookRegistry = pipeline.hooks
    reading = hooks?.reading(leased.job.reading) ?? leased.job.reading
    files = RunFiles(
      places: services.files, leased: leased, suggested: services.suggested,
      isRehearsal: services.settings.isRehearsal)
    secrets = leased.job.secrets(services.secrets)
    transfers = RunTransfers(
      store: services.store, leased: leased, secrets: secrets, suggested: services.suggested)
    keeping = pipeline.keeping
    recorder =
      keeping.countMax > 0
      ? HopRecorder(services.http, bytesMax: KeptRun.runBytesMax, allowance: keeping.allowance)
      : nil
    var policy = services.settings.policy
    policy.cooldowns = services.settings.cooldowns
    http = HTTPSession(
      transport: recorder ?? services.http, grant: leased.job.grant, policy: policy,
      validators: leased.snapshot.validators.usable(for: reading),
      deadline: .now + leased.job.limits.window,
      waits: TurnWaits(max: leased.job.limits.waiting, lanes: policy.lanes),
      limits: leased.job.limits, secrets: secrets, clock: services.time.clock,
      now: services.time.now)
  }

  /// The reason why the plugin may not run; nil if the plugin may run.
  var refusal: Failure? { leased.refusal(services.suggested) }

  // MARK: Before the plugin

  /// Adds to the redactor the secrets that cost nothing to read, and those that other runs have
  /// read. They are redacted even if this run sends none of them.
  func learnSecrets() async { await secrets?.learn() }

  /// Requests the plugin's wake address. Returns whether the answer is the same as last time, so
  /// that the plugin need not run. Otherwise keeps the answer or failure for the plugin's first
  /// equal request, which is then not sent. Sends nothing and returns false in a run for a
  /// transfer, without a wake address, or without known validators.
  func findNothingNew() async -> Bool {
    guard !leased.isOfTransfer, let url = leased.job.wakeURL, !http.known.isEmpty else {
      return false
    }
    let request = HTTPRequest(url: url)
    let answer = await http.send(request)
    return isUnchanged(answer, to: request)
  }

  private func isUnchanged(_ answer: Result<HTTPAnswer, Failure>, to request: HTTPRequest) -> Bool {
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
    return leased.job.explained(await http.send(request), of: request.url, services.suggested)
  }

  // MARK: Host calls

  func answer(_ call: HostCall) async -> HostCallAnswer {
    switch call.name {
    case HTTPCall.name:
      await HTTPCall.answer(call, waits: http.waits) { request in await send(request) }
    case HostCall.checkpointName: await checkpoint(call)
    case let name where FilesCall.isName(name): await files.answer(call)
    case TransferCall.name: await transfers.answer(call)
    default: .raises("unknown host call '\(call.name)'")
    }
  }

  // MARK: After the plugin

  /// Returns the run's products, redacted, or the run's failure.
  func result(of end: WorkerRunEnd) -> Result<WorkerProducts, Failure> {
    switch end.result {
    case .failure(let failure):
      return .failure(http.redactor.redacted(failure.placed(in: leased.job.plugin.source)))
    case .success(let products):
      if let failure = countEmpty(products) { return .failure(http.redactor.redacted(failure)) }
      return .success(http.redactor.redacted(products))
    }
  }

  /// Returns the result after the run's hooks have processed the products.
  func hooked(
    _ result: Result<WorkerProducts, Failure>
  ) async -> Result<WorkerProducts, Failure> {
    guard let hooks, case .success(var products) = result else { return result }
    return await hooks.apply(to: &products) ? .success(products) : .failure(RunHooks.cancelled)
  }

  /// Returns the work of the run for the run's conclusion. It includes the transfers that the run
  /// has requested since its last checkpoint.
  func work(_ end: WorkerRunEnd, _ duration: Duration) -> RunWork {
    var work = RunWork()
    work.duration = duration
    work.stored = stored.withLock { $0 }
    work.transfers = transfers.take()
    work.answers = http.facts
    work.answerFacts = http.answerFacts
    work.postponedUntil = http.postponedUntil
    work.validators = validators
    if case .success(let products) = end.result {
      work.feedHints = products.feedHints
      work.hubLinks = products.hubLinks
    }
    let traffic = hooks?.traffic ?? HookUsage()
    work.retryAfters = http.retryAfters + traffic.retryAfters
    work.requestCount = http.requestCount + traffic.requestCount
    work.receivedBytes = http.receivedBytes + traffic.receivedBytes
    work.cpu = end.usage.cpu + traffic.cpu
    work.hasItemsOfFailedHook = hooks?.hasKept == true
    work.isRehearsal = services.settings.isRehearsal
    work.unchangedFileCount = files.leftCount
    work.storedBytesMax = services.store.jobBytesMax
    return work
  }

  /// The run's validators that differ from the stored validators.
  private var validators: [ExactText: Validators] {
    var updates: [ExactText: Validators] = [:]
    for (url, validators) in http.validatorUpdates {
      var validators = validators
      validators.reading = reading
      let key = ExactText(url)
      if validators == http.known[key] { continue }
      updates[key] = validators
    }
    return updates
  }

  /// Decides the outcome of the run in `conclusion`.
  func decide(
    _ conclusion: RunConclusion, _ result: Result<WorkerProducts, Failure>, _ logs: [LogLine]
  ) async throws(StoreError) {
    switch result {
    case .failure(let failure): conclusion.fail(failure)
    case .success(let products):
      let comparison = try await comparison(
        of: products.items, conclusion.rules(for: products), isWhole: conclusion.isWhole(products))
      conclusion.decide(products, comparison)
    }
    if let failure = conclusion.failure { conclusion.keep(kept(failure, logs)) }
  }

  /// Adds the job's next due time to `conclusion`. Returns the counts of the job's failures before
  /// and after the run, if they are known.
  func settle(_ conclusion: RunConclusion, _ settling: RunSettling?) -> DeliveryHistory? {
    let facts = conclusion.facts()
    conclusion.hub = facts.hub
    guard let next = settling?(conclusion.commit.record, facts) else { return nil }
    conclusion.settle(next)
    return next.history
  }

  /// Stores the end of the run. The record of a cancelled run is also written, since the run's task
  /// continues to the end.
  func commit(_ conclusion: RunConclusion) async throws(StoreError) {
    let commit = conclusion.commit
    let committing = ContinuousClock.now
    let receipt = try await services.store.commit(commit)
    services.settings.onCommit(committing.duration(to: .now))
    notify(commit, receipt)
  }

  // MARK: The report

  /// Calls the callbacks for the transfers and deliveries in a committed part of the run. Also
  /// passes on the news in this part: see `RunNews`.
  func notify(_ commit: RunCommit, _ receipt: CommitReceipt) {
    if !commit.transfers.isEmpty { services.settings.onTransfers() }
    if receipt.deliveryCount > 0 { services.settings.onDeliveries() }
    if case .none = services.settings.news { return }
    let news = receipt.news(of: commit)
    if case .each(let show) = services.settings.news { return news.forEach(show) }
    stored.withLock { stored in
      stored.newsCount += news.count
      stored.lines += news
      if case .last(let count) = services.settings.news {
        stored.lines = Array(stored.lines.suffix(count))
      }
    }
  }

  /// Returns the report of a run whose end is stored.
  func report(_ conclusion: RunConclusion, _ end: WorkerRunEnd) -> RunReport {
    var report = RunReport(record: conclusion.commit.record)
    let stored = stored.withLock { $0 }
    report.transferCount = stored.transferCount + conclusion.commit.transfers.count
    report.isTransferTold = conclusion.commit.toldTransfer != nil
    report.lines = stored.lines
    report.newsCount = stored.newsCount
    report.hostsReached = http.hostsReached
    report.hub = conclusion.hub
    report.redactor = http.redactor
    report.logs = logs(end.logs + conclusion.hints)
    return report
  }

  /// Returns the report of a run whose end could not be stored, because the store reported an
  /// error.
  func report(_ conclusion: RunConclusion, _ end: WorkerRunEnd, _ error: StoreError) -> RunReport {
    var report = RunReport(record: conclusion.commit.record)
    report.storeError = error
    report.logs = logs(end.logs)
    return report
  }

  /// Returns the given lines, the lines of the hooks, and the host's notes about empty items and
  /// about the job's grant and secrets. Equal lines become one line with a count.
  private func logs(_ lines: [LogLine]) -> [LogLine] {
    let lines =
      (leased.decision.note(after: leased.snapshot.grant).map { [$0] } ?? []) + lines
      + (stored.withLock(\.emptyNote).map { [$0] } ?? []) + (hooks?.logs ?? [])
    guard let secrets else { return LogLine.counted(lines) }
    let redactor = secrets.redactor
    return LogLine.counted(
      lines.map(redactor.redacted)
        + secrets.notices.map { LogLine(.warning, redactor.redacted($0)) })
  }
}

extension [ExactText: Validators] {
  /// Returns the validators that were stored with this reading hash, by address. Usually these are
  /// all validators, which need no second dictionary.
  fileprivate func usable(for reading: [UInt8]) -> [ExactText: Validators] {
    if values.allSatisfy({ $0.reading == reading }) { return self }
    return filter { $0.value.reading == reading }
  }
}
