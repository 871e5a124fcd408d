import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

extension RunSession {
  // MARK: Checkpoints

  /// Stores the state and the items since the last checkpoint, in one transaction. Validators are
  /// stored only at the end of the run. If an ETag were stored before all items of its answer and
  /// the run then failed, the next 304 would lose the remaining items.
  func checkpoint(_ call: HostCall) async -> HostCallAnswer {
    let turn = await services.workers.largeResults.turn(weight: call.weight)
    defer { withExtendedLifetime(turn) {} }
    switch call.products(leased.job.limits) {
    case .failure(let failure): return .raises(failure.message)
    case .success(let products):
      if let failure = countEmpty(products) { return .raises(failure.message) }
      var products = http.redactor.redacted(products)
      if let hooks, !(await hooks.apply(to: &products)) {
        return .raises(RunHooks.cancelled.message)
      }
      do throws(StoreError) {
        return try await store(products).map { .raises($0.message) } ?? .values([])
      } catch {
        return .raises(error.message)
      }
    }
  }

  /// Stores one part of a run that continues. Returns a failure if the job would exceed its maximum
  /// size.
  private func store(_ products: WorkerProducts) async throws(StoreError) -> Failure? {
    let earlier = stored.withLock { $0 }
    var commit = RunCommit(record: leased.record, jobID: leased.snapshot.id)
    commit.part = .checkpoint
    commit.identity = leased.job.identity
    commit.changes =
      try await comparison(of: products.items, leased.job.rules, isWhole: false)?
      .changes(of: leased, after: earlier.shown) ?? RunChanges()
    if let failure = leased.refusal(
      of: commit.changes, after: earlier.byteCount, bytesMax: services.store.jobBytesMax)
    {
      return failure
    }
    commit.state = products.state
    commit.transfers = transfers.take()
    commit.grant = leased.decision.kept
    commit.record.outcome = .newData(earlier.counts + commit.changes.counts)
    commit.deliveries = await deliveries(of: commit, isEnd: false)
    let receipt = try await services.store.commit(commit)
    stored.withLock { $0.add(commit, receipt) }
    notify(commit, receipt)
    return nil
  }

  /// Counts the items and the empty items in a part of the run. Returns a failure if the part has
  /// empty items and the run has had only empty items so far.
  func countEmpty(_ products: WorkerProducts) -> Failure? {
    stored.withLock { stored in
      stored.givenCount += products.items.count
      stored.emptyCount += products.emptyItems.count
      return stored.givenCount == 0 ? products.emptyItems.failure : nil
    }
  }

  // MARK: Known items

  /// Returns the items with the facts about them in the store; nil if there is nothing to compare.
  ///
  /// - Parameter isWhole: whether the items are all items of the source.
  func comparison(
    of items: [ParsedItem], _ rules: ItemRules, isWhole: Bool
  ) async throws(StoreError) -> RunComparison? {
    if items.isEmpty, !(rules.complete && isWhole) { return nil }
    var rules = rules
    if leased.isOfFirstRun, case .latest(let count) = rules.firstRun {
      // `newsCount` includes the news of earlier parts of this run, and of previous runs that
      // failed after a checkpoint.
      let newsCount = try await services.store.newsCount(of: leased.job.name, max: count)
      rules.firstRun = .latest(max(0, count - newsCount))
    }
    let identified = IdentifiedItems(items, rules: rules)
    let known = try await services.store.known(identified, of: leased.snapshot, rules: rules)
    return RunComparison(items: identified, rules: rules, known: known, isWhole: isWhole)
  }

  // MARK: Deliveries

  /// Returns the deliveries that notify hooks of one part of the run.
  func deliveries(
    of commit: @autoclosure () -> RunCommit, isEnd: Bool, history: DeliveryHistory? = nil
  ) async -> [NewDelivery] {
    if leased.job.isGuest { return [] }
    let hooks = hookRegistry.hooks(of: leased.job.name, plugin: leased.record.plugin)
    if hooks.isEmpty { return [] }
    let commit = commit()
    let part = stored.withLock { $0.partCount }
    let rule = DeliveryRule(hooks: hooks, record: commit.record, now: services.time.now())
    let changes = await withLastVersions(commit.changes.changes, for: hooks)
    return rule.deliveries(of: changes, part: part, isEnd: isEnd, history: history)
  }

  /// Returns the changes. If a hook receives removed items, the changes of these items include the
  /// last titles and URLs, unless the store cannot read them.
  private func withLastVersions(
    _ changes: [ItemChange], for hooks: [HookConfig]
  ) async -> [ItemChange] {
    let gone = changes.filter { $0.kind == .removed }.map(\.key)
    guard !gone.isEmpty, hooks.contains(where: { $0.events.contains(.removed) }) else {
      return changes
    }
    // If the titles cannot be read, hooks are still notified of the removal.
    let last =
      (try? await services.store.lastVersions(job: leased.job.name, keys: gone)) ?? [:]
    return changes.map { change in
      var change = change
      if change.kind == .removed { change.last = last[change.key] }
      return change
    }
  }
}

extension RunSession {
  /// Returns the kept answers of the failed run, or the reason why the run could not be recorded.
  /// Returns nil if no answers are to be kept, if the plugin may not run, or if a replay would not
  /// show the failure.
  func kept(_ failure: Failure, _ logs: [LogLine]) -> KeptAnswers? {
    guard KeptRun.reasonToPass(over: failure.code) == nil, let recorder, refusal == nil else {
      return nil
    }
    var run: RecordedRun
    switch recorder.recorded {
    case .success(let recorded): run = recorded
    case .failure(let unrecorded): return unkept(since: unrecorded.reason)
    }
    let (job, snapshot, record) = (leased.job, leased.snapshot, leased.record)
    run.transfer = leased.transfer.map { RecordedTransfer($0) }
    var recording = Recording(now: record.startedAt)
    recording.options = job.options
    recording.state = snapshot.state
    recording.validators = snapshot.validators.filter { $0.value.reading == job.reading }
    recording.job = job.name
    recording.trigger = record.trigger
    recording.run = record.run
    recording.allowsPrivate = job.grant.privateAddresses != .none
    recording.hosts = job.grant.hosts
    recording.secrets = job.grant.secrets.map { RecordedSecret($0.name, hosts: $0.hosts) }
    recording.limits = job.limits.unusual
    recording.runs = [run]
    do throws(Failure) {
      let kept = try KeptRun(recording, job.plugin, failure, logs, redactor: http.redactor)
      var answers = KeptAnswers(content: kept.encoded, countMax: keeping.countMax)
      answers.isAnswerless = KeptRun.isAnswerless(failure, run)
      return answers
    } catch {
      return unkept(since: error.message)
    }
  }

  private func unkept(since reason: String) -> KeptAnswers {
    var answers = KeptAnswers(
      content: KeptRun.encoded(unkeptSince: reason), countMax: keeping.countMax)
    // An entry without answers is marked as answerless, so that it does not count against the job's
    // `countMax` for entries with answers.
    answers.isAnswerless = true
    return answers
  }
}

/// The setting that limits for how many failed runs of each job the store keeps the answers. A
/// reload of the config may change the number.
package final class FailureKeeping: Sendable {
  private let count: Atomic<Int>
  /// The maximum memory that the recordings of all runs under way may take together.
  let allowance = RecorderAllowance(bytesMax: heldBytesMax)

  private static let heldBytesMax = 64 << 20

  /// Creates the setting. With a count of 0, no answers are kept.
  package init(count: Int) { self.count = Atomic(count) }

  package var countMax: Int { count.load(ordering: .relaxed) }

  package func setCount(_ count: Int) { self.count.store(count, ordering: .relaxed) }
}

extension Failure {
  /// Returns the failure of a refused item, with the line of the plugin's file that sets the
  /// refused field. Searches the file's text, because Lua gives no line for items in the list that
  /// `fetch` returns. The failure stays unchanged if the text does not set the field exactly once.
  /// Other failures also stay unchanged.
  func placed(in source: PluginSource) -> Failure {
    guard code == .invalidItem || code == .invalidValue, file == nil, message.hasPrefix("item "),
      let name = message.split(separator: "'", maxSplits: 2).dropFirst().first.map(String.init)
    else { return self }
    let tokens = LuaLexer.tokens(of: source.text)
    let lines = zip(tokens, tokens.dropFirst()).filter { key, sign in
      key.kind == .name && key.text == name && sign.isWord("=")
    }.map(\.0.line)
    guard lines.count == 1 else { return self }
    var placed = self
    (placed.file, placed.line) = (source.fileName, lines[0])
    return placed
  }
}

extension Redactor {
  /// Returns the products of a run with the secrets redacted in the items, the state and the note.
  func redacted(_ products: WorkerProducts) -> WorkerProducts {
    guard !isEmpty else { return products }
    var products = products
    products.items = products.items.map(redacted)
    products.state = products.state.map(redacted)
    products.note = products.note.map(redacted)
    return products
  }
}
