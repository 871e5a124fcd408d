import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// The conclusion of a run: its outcome and its commit. Pure: the same job, work, result and known
/// items give the same commit; it asks no store and no clock.
///
/// The pipeline calls its steps in this order: `decide` or `fail`, `settle`, `deliver`.
struct RunConclusion: Sendable {
  let leased: LeasedJob
  let work: RunWork
  /// The commit. Until `decide` or `fail`, its outcome is that of a run without an end.
  private(set) var commit: RunCommit
  /// The line that the run's log has after the plugin's own.
  private(set) var hint: LogLine?

  init(_ leased: LeasedJob, _ work: RunWork) {
    self.leased = leased
    self.work = work
    commit = RunCommit(record: leased.record)
    commit.record.duration = work.duration
    commit.record.cpu = work.cpu
    commit.record.requestCount = work.requestCount
    commit.record.receivedBytes = work.receivedBytes
    // Also of a run that fails: it is such a run that a 429 makes.
    commit.coolDowns = Dictionary(
      work.retryAfters.map { (ExactText($0.origin), $0.until) }, uniquingKeysWith: max)
    commit.identity = leased.job.identity
    commit.grant = leased.decision.kept
  }

  /// Why the run failed; nil where it did not.
  var failure: Failure? { commit.record.outcome.failure }

  // MARK: The outcome

  /// Decides what a run came to whose plugin did not fail, or that its items are more than the job may
  /// store.
  ///
  /// - Parameter comparison: made of the products by `rules(for:)` and `isWhole`; nil where the run has
  ///   no items and shows nothing of those that are known.
  mutating func decide(_ products: WorkerProducts, _ comparison: RunComparison?) {
    let stored = work.stored
    let changes = comparison?.changes(of: leased, after: stored.shown) ?? RunChanges()
    if let failure = leased.refusal(
      of: changes, after: stored.byteCount, bytesMax: work.storedBytesMax)
    {
      return fail(failure)
    }
    commit.changes = changes
    commit.record.outcome = OutcomeRule.decide(
      changes: changes.counts + stored.counts, itemCount: changes.itemCount + stored.itemCount,
      answers: work.answerFacts)
    commit.state = products.state
    commit.validators = work.validators
    commit.transfers = work.transfers
    commit.record.note = note(products)
    hint = forgottenReturn(products) ?? missingIdentity(products) ?? unreadDate(products)
  }

  /// The run failed; what its checkpoints have stored stays.
  mutating func fail(_ failure: Failure) {
    commit.record.outcome = .failed(failure)
    commit.record.checkpointed = work.stored.counts
  }

  /// Adds the answers that are kept of a failed run, so that it can be replayed.
  mutating func keep(_ answers: KeptAnswers?) { commit.kept = answers }

  /// The rules by which the items are compared. A plugin's own word needs no full answers: it may know
  /// by its state what a 304 stands for.
  func rules(for products: WorkerProducts) -> ItemRules {
    var rules = leased.job.rules
    rules.complete = rules.complete || products.isWhole
    return rules
  }

  /// Whether the items are all that the source has. The plugin's answer to one transfer shows nothing of
  /// the rest. An item that a hook failed at may have another identity than at other times, or be one
  /// that is dropped.
  func isWhole(_ products: WorkerProducts) -> Bool {
    let isWhole =
      products.isWhole || !leased.isOfTransfer && OutcomeRule.isWhole(answers: work.answerFacts)
    return isWhole && !work.hasItemsOfFailedHook
  }

  // MARK: The next time

  /// The facts that the run showed of its source.
  var facts: RunFacts {
    var facts = RunFacts(answers: work.answers, retryAfters: work.retryAfters)
    facts.postponedUntil = work.postponedUntil
    facts.feedHints = work.feedHints
    // A first run under the rule `baseline` has no news, but its items tell of the source.
    let new = commit.changes.changes.filter { $0.kind == .added || $0.kind == .baseline }
    facts.newCount = new.count + work.stored.counts.added
    // Atom must say when an entry was updated and need not say when it was published (RFC 4287,
    // 4.1.2): of a new one both tell of the source.
    facts.newTimes = new.compactMap {
      ($0.item?.published ?? $0.item?.updated).flatMap(Timestamp.init(rfc3339:))
    }
    facts.shownCount = commit.changes.itemCount + work.stored.itemCount
    return facts
  }

  /// Takes over when the job is due next, and what its schedule remembers.
  mutating func settle(_ settlement: RunSettlement) {
    commit.record.nextDueAt = settlement.nextDueAt
    commit.schedule = settlement.schedule
    commit.shared = settlement.shared
    commit.coolDowns.merge(settlement.coolDowns, uniquingKeysWith: max)
  }

  /// Adds what hooks are notified of. The transfer that the run is about counts as reported to the
  /// plugin, whatever the plugin made of it, unless the run was cancelled or refused.
  mutating func deliver(_ deliveries: [NewDelivery]) {
    commit.deliveries = deliveries
    if failure?.code != .cancelled, leased.decision.isRun {
      commit.toldTransfer = leased.transfer?.id
    }
  }
}

/// The items that one part of a run gave, beside what the store knows of them.
struct RunComparison: Sendable {
  var items: IdentifiedItems
  var rules: ItemRules
  var known: KnownItems
  /// Whether the items are all that the source has.
  var isWhole: Bool

  /// The changes that the items are; `earlier` has what earlier parts of the run have shown.
  func changes(of leased: LeasedJob, after earlier: Set<ItemKey>) -> RunChanges {
    Diff.decide(
      items, rules: rules, known: known, isFirstRun: leased.isOfFirstRun, isWhole: isWhole,
      earlier: earlier, now: leased.record.startedAt)
  }
}
