import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// A run from the end of its work to its commit: what it came to, what the scheduler makes of that,
/// what is stored and told.
///
/// An object, so that what is put together here is not kept in the frames of async functions: of the
/// runs that wait at the same time each would have its own (measured: 60 KB for each waiting run).
final class RunEnding {
  private let calls: RunCalls
  private let end: WorkerRunEnd
  private var commit: RunCommit
  /// What the run's log says after the plugin's own lines.
  private var hint: LogLine?

  init(_ calls: RunCalls, _ end: WorkerRunEnd) {
    self.calls = calls
    self.end = end
    commit = RunCommit(record: calls.record)
    commit.record.duration = calls.begunAt.duration(to: .now)
    commit.identity = calls.job.identity
    commit.grant = calls.decision.kept
  }

  /// Decides what the run came to and commits it.
  func report(settling: RunSettling?) async -> RunReport {
    do throws(StoreError) {
      try await decide()
      noteTraffic()
      if let settling {
        await take(await settling(commit.record, facts))
      } else {
        await complete(history: nil)
      }
      // A run that was cancelled still writes its record: this task goes on to the end.
      let receipt = try await calls.pipeline.services.store.commit(commit)
      return told(receipt)
    } catch {
      return lost(error)
    }
  }

  // MARK: The outcome

  private func decide() async throws(StoreError) {
    switch end.result {
    case .failure(let failure): fail(failure.placed(in: calls.job.plugin.source))
    case .success(let products):
      if let failure = calls.countEmpty(products) { return fail(failure) }
      try await decide(calls.session.redactor.redacted(products))
    }
  }

  private func fail(_ failure: Failure) {
    let failure = calls.session.redactor.redacted(failure)
    setFailed(failure)
    commit.kept = calls.refusal == nil ? calls.kept(failure, end.logs) : nil
  }

  private func setFailed(_ failure: Failure) {
    commit.record.outcome = .failed(failure)
    commit.record.checkpointed = calls.soFar.counts
  }

  private func decide(_ products: WorkerProducts) async throws(StoreError) {
    var products = products
    if let hooks = calls.hooks, !(await hooks.apply(to: &products)) {
      return setFailed(RunHooks.cancelled)
    }
    let isWhole = isWhole(products)
    commit.changes = try await calls.changes(
      products.items, rules(for: products), isWhole: isWhole,
      earlier: calls.soFar.shown)
    if let failure = calls.refusal(of: commit.changes) {
      commit.changes = RunChanges()
      return fail(failure)
    }
    decideOutcome()
    commit.state = products.state
    commit.validators = validators
    commit.transfers = calls.transfers.take()
    commit.record.note = note(products)
    hint = forgottenReturn(products) ?? missingIdentity(products)
  }

  /// Says of a first run that came to nothing what the most frequent reason for that is. Only where
  /// there was something to make items of: the answers were good, new and whole.
  private func forgottenReturn(_ products: WorkerProducts) -> LogLine? {
    let answers = calls.session.answerFacts
    guard products.returnedNothing, products.note == nil, !calls.isOfTransfer,
      calls.snapshot.firstResultAt == nil, commit.record.outcome == .noData(.empty),
      calls.soFar.transferCount + commit.transfers.count == 0,
      !answers.isEmpty, answers.allSatisfy({ $0 == .full })
    else { return nil }
    return LogLine(.warning, Self.returnMissing)
  }

  static let returnMissing = "fetch returned nothing; is `return items` missing at its end?"

  /// Says of the first items of a job, where nothing but their content tells them apart, what comes
  /// of that.
  private func missingIdentity(_ products: WorkerProducts) -> LogLine? {
    guard calls.snapshot.firstResultAt == nil, calls.soFar.itemCount == 0,
      calls.rules.identity == .automatic, !products.items.isEmpty,
      products.items.allSatisfy({ ($0.id ?? "").isEmpty && ($0.url ?? "").isEmpty })
    else { return nil }
    return LogLine(.warning, Self.identityMissing)
  }

  static let identityMissing =
    "the items have neither id nor url: an item that changes will be added again; set id"

  /// The note beside the outcome: what a first run stored without news; the plugin's own
  /// words; of a run without news, that its function returned nothing, or that downloads are to come.
  private func note(_ products: WorkerProducts) -> String? {
    var parts = [silence, products.note].compactMap(\.self)
    let queuedCount = calls.soFar.transferCount + commit.transfers.count
    if calls.pipeline.services.settings.isRehearsal {
      if queuedCount > 0 { parts.append("would queue \(counted(queuedCount, "download"))") }
      let leftCount = calls.files.leftCount
      if leftCount > 0 { parts.append("would make \(counted(leftCount, "change")) of files") }
    }
    if case .noData(let reason) = commit.record.outcome {
      if queuedCount > 0, !calls.pipeline.services.settings.isRehearsal {
        parts.append("\(counted(queuedCount, "download")) queued")
      }
      if parts.isEmpty, reason == .empty, products.returnedNothing, !calls.isOfTransfer {
        parts.append("nothing returned")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The note on new items that `first_run` keeps from being news; nil if there are none.
  private var silence: String? {
    guard case .noData = commit.record.outcome else { return nil }
    let count = calls.soFar.silentCount + commit.changes.silentCount
    if count == 0 { return nil }
    return FirstRunNote.text(
      itemCount: count, isOfTransfer: calls.isOfTransfer,
      isStored: !calls.pipeline.services.settings.isRehearsal)
  }

  /// A plugin's own word needs no full answers: it may know by its state what a 304 stands for.
  private func rules(for products: WorkerProducts) -> ItemRules {
    var rules = calls.rules
    rules.complete = rules.complete || products.isWhole
    return rules
  }

  /// Whether the items are all that the source has. What is told of one transfer shows nothing of the
  /// rest. An item that a hook failed at may have another identity than at other times, or be one
  /// that is dropped.
  private func isWhole(_ products: WorkerProducts) -> Bool {
    let answers = calls.session.answerFacts
    return
      (products.isWhole || !calls.isOfTransfer && OutcomeRule.isWhole(answers: answers))
      && calls.hooks?.hasKept != true
  }

  private func decideOutcome() {
    let earlier = calls.soFar
    commit.record.outcome = OutcomeRule.decide(
      changes: commit.changes.counts + earlier.counts,
      itemCount: commit.changes.itemCount + earlier.itemCount,
      answers: calls.session.answerFacts)
  }

  /// The validators that are not stored yet. Those of a 304 are nearly always the ones that were sent.
  private var validators: [ExactText: Validators] {
    var updates: [ExactText: Validators] = [:]
    for (url, validators) in calls.session.validatorUpdates {
      var validators = validators
      validators.reading = calls.reading
      if validators == calls.session.known[url] { continue }
      updates[ExactText(url)] = validators
    }
    return updates
  }

  // MARK: The next time

  /// What the plugin and the hooks of the run have asked for, and the CPU time of the hooks.
  private func noteTraffic() {
    let session = calls.session
    let hooks = calls.hooks?.traffic ?? HookTraffic()
    commit.record.requestCount = session.requestCount + hooks.requestCount
    commit.record.receivedBytes = session.receivedBytes + hooks.receivedBytes
    commit.record.cpu = end.usage.cpu + hooks.cpu
    // Also of a run that failed: it is such a run that a 429 makes.
    commit.coolDowns = Dictionary(
      retryAfters.map { (ExactText($0.origin), $0.until) }, uniquingKeysWith: max)
  }

  private var retryAfters: [RetryAfterNote] {
    calls.session.retryAfters + (calls.hooks?.traffic.retryAfters ?? [])
  }

  private var facts: RunFacts {
    let session = calls.session
    var facts = RunFacts(answers: session.facts, retryAfters: retryAfters)
    facts.postponedUntil = session.postponedUntil
    if case .success(let products) = end.result { facts.feedHints = products.feedHints }
    let earlier = calls.soFar
    let changes = commit.changes.changes
    // A first run under the rule `baseline` has no news, but its items tell of the source.
    let new = changes.filter { $0.kind == .added || $0.kind == .baseline }
    facts.newCount = new.count + earlier.counts.added
    // Atom must say when an entry was updated and need not say when it was published (RFC 4287,
    // 4.1.2): of a new one both tell of the source.
    facts.newTimes = new.compactMap {
      ($0.item?.published ?? $0.item?.updated).flatMap(Timestamp.init(rfc3339:))
    }
    facts.shownCount = commit.changes.itemCount + earlier.itemCount
    return facts
  }

  private func take(_ settlement: RunSettlement) async {
    commit.record.nextDueAt = settlement.nextDueAt
    commit.schedule = settlement.schedule
    commit.shared = settlement.shared
    commit.coolDowns.merge(settlement.coolDowns, uniquingKeysWith: max)
    await complete(history: settlement.history)
  }

  private func complete(history: DeliveryHistory?) async {
    // The plugin has heard of it, whatever it made of it; but not where its run was broken off.
    if commit.record.outcome.failure?.code != .cancelled, calls.decision.isRun {
      commit.toldTransfer = calls.transfer?.id
    }
    commit.deliveries = await calls.deliveries(of: commit, isEnd: true, history: history)
  }

  // MARK: The report

  private func told(_ receipt: CommitReceipt) -> RunReport {
    calls.tell(commit, receipt)
    var report = RunReport(record: commit.record)
    let stored = calls.soFar
    report.transferCount = stored.transferCount + commit.transfers.count
    report.isTransferTold = commit.toldTransfer != nil
    report.lines = stored.lines
    report.newsCount = stored.newsCount
    report.hostsReached = calls.session.hostsReached
    report.redactor = calls.session.redactor
    report.logs = calls.logs(end.logs + (hint.map { [$0] } ?? []))
    return report
  }

  private func lost(_ error: StoreError) -> RunReport {
    noteTraffic()
    setFailed(error.failure)
    var report = RunReport(record: commit.record)
    report.storeError = error
    report.logs = calls.logs(end.logs)
    return report
  }
}
