import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// The conclusion of a run: its outcome and its commit. Pure: the same job, work, result and known
/// items give the same commit; it uses no store and no clock.
///
/// The pipeline calls its steps in this order: `decide` or `fail`, `settle`, `deliver`.
struct RunConclusion: Sendable {
  let leased: LeasedJob
  let work: RunWork
  /// The commit. Until `decide` or `fail`, its outcome is that of a run without an end.
  private(set) var commit: RunCommit
  /// The line that is added to the run's log after the plugin's lines.
  private(set) var hint: LogLine?

  init(_ leased: LeasedJob, _ work: RunWork) {
    self.leased = leased
    self.work = work
    commit = RunCommit(record: leased.record)
    commit.record.duration = work.duration
    commit.record.cpu = work.cpu
    commit.record.requestCount = work.requestCount
    commit.record.receivedBytes = work.receivedBytes
    // Failed runs have them too: a 429 makes such a run.
    commit.coolDowns = Dictionary(
      work.retryAfters.map { (ExactText($0.origin), $0.until) }, uniquingKeysWith: max)
    commit.identity = leased.job.identity
    commit.grant = leased.decision.kept
  }

  /// The reason why the run failed; nil if it did not.
  var failure: Failure? { commit.record.outcome.failure }

  // MARK: The outcome

  /// Decides the outcome of a run whose plugin did not fail. The run fails if its items are more
  /// than the job may store.
  ///
  /// - Parameter comparison: made of the products by `rules(for:)` and `isWhole`; nil if the run
  ///   has no items and proves nothing about the known ones.
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

  /// Ends the run as failed; the parts that its checkpoints have stored stay.
  mutating func fail(_ failure: Failure) {
    commit.record.outcome = .failed(failure)
    commit.record.checkpointed = work.stored.counts
  }

  /// Adds the answers that are kept of a failed run, so that it can be replayed.
  mutating func keep(_ answers: KeptAnswers?) { commit.kept = answers }

  /// Returns the rules for comparing the items. The plugin's own rules need no full answers: from
  /// its state it may know which items a 304 confirms.
  func rules(for products: WorkerProducts) -> ItemRules {
    var rules = leased.job.rules
    rules.complete = rules.complete || products.isWhole
    return rules
  }

  /// Whether the items are all that the source has. The plugin's answer to one transfer proves
  /// nothing about other items. An item at which a hook failed may have an unusual identity, or may
  /// be one that the hook drops.
  func isWhole(_ products: WorkerProducts) -> Bool {
    let isWhole =
      products.isWhole || !leased.isOfTransfer && OutcomeRule.isWhole(answers: work.answerFacts)
    return isWhole && !work.hasItemsOfFailedHook
  }

  // MARK: The next time

  /// The facts about its source that the run showed.
  var facts: RunFacts {
    var facts = RunFacts(answers: work.answers, retryAfters: work.retryAfters)
    facts.postponedUntil = work.postponedUntil
    facts.feedHints = work.feedHints
    // A first run under the rule `baseline` has no news, but its items describe the source.
    let new = commit.changes.changes.filter { $0.kind == .added || $0.kind == .baseline }
    facts.newCount = new.count + work.stored.counts.added
    // Atom requires the time of an entry's update, but not that of its publication (RFC 4287,
    // 4.1.2): for a new entry both describe the source.
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

/// The items that one part of a run gave, with what the store knows of them.
struct RunComparison: Sendable {
  var items: IdentifiedItems
  var rules: ItemRules
  var known: KnownItems
  /// Whether the items are all that the source has.
  var isWhole: Bool

  /// Returns the changes of the items; `earlier` has the items that earlier parts of the run
  /// showed.
  func changes(of leased: LeasedJob, after earlier: Set<ItemKey>) -> RunChanges {
    Diff.decide(
      items, rules: rules, known: known, isFirstRun: leased.isOfFirstRun, isWhole: isWhole,
      earlier: earlier, now: leased.record.startedAt)
  }
}

/// The requests, answers and costs of a run until its plugin ended. Its conclusion depends on them,
/// on the job and on the result.
struct RunWork: Sendable {
  /// The time from `RunSession.begunAt` to the end of the plugin.
  var duration: Duration = .zero
  /// The CPU time of the plugin and of the run's hooks; requests and bytes are such sums, too.
  var cpu: Duration = .zero
  var requestCount = 0
  var receivedBytes = 0
  /// The parts that checkpoints have stored.
  var stored = StoredParts()
  /// The transfers that were requested since the last checkpoint.
  var transfers: [QueuedTransfer] = []
  /// One fact for each answer, in the order they came.
  var answers: [HTTPFact] = []
  /// The answer to each request; more than `answers`, which lacks requests without an answer.
  var answerFacts: [AnswerFact] = []
  var retryAfters: [RetryAfterNote] = []
  /// Until when a postponed request waits.
  var postponedUntil: Timestamp?
  /// The validators that the store does not have yet.
  var validators: [ExactText: Validators] = [:]
  /// The hints of the feeds that were read on when to check again.
  var feedHints = FeedHints()
  /// Whether an item stayed as it was because a hook failed.
  var hasItemsOfFailedHook = false
  var isRehearsal = false
  /// The number of file changes that a rehearsal has skipped.
  var unchangedFileCount = 0
  /// The maximum size of one job in the store.
  var storedBytesMax = Int64.max
}

/// The parts of a run that its checkpoints have stored, and the items of its report.
struct StoredParts: Sendable {
  var counts = ChangeCounts()
  /// The news for the report, see `RunNews`, and their number.
  var (lines, newsCount): ([StoredItem], Int) = ([], 0)
  var itemCount = 0
  /// The number of items that a first run stored without news.
  var silentCount = 0
  var transferCount = 0
  var shown: Set<ItemKey> = []
  /// The bytes that the items take in the store.
  var byteCount = 0
  /// The number of checkpoints, which distinguishes the deliveries of a run.
  var partCount = 0
  /// The numbers of items with content and of empty items.
  var (givenCount, emptyCount) = (0, 0)

  /// Adds a stored checkpoint.
  mutating func add(_ commit: RunCommit, _ receipt: CommitReceipt) {
    counts = counts + commit.changes.counts
    itemCount += commit.changes.itemCount
    silentCount += commit.changes.silentCount
    shown.formUnion(commit.changes.shown)
    byteCount += receipt.byteCount
    partCount += 1
    transferCount += commit.transfers.count
  }

  /// The log line on empty items that were skipped; nil if there were none, or if the run failed
  /// for them.
  var emptyNote: LogLine? {
    if givenCount == 0 || emptyCount == 0 { return nil }
    return LogLine(
      .warning,
      emptyCount == 1
        ? "1 item is empty and was skipped"
        : "\(emptyCount) items are empty and were skipped")
  }
}
