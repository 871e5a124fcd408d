import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// The conclusion of a run: its outcome and its commit. It uses no store and no clock.
///
/// The pipeline calls the steps in this order: `decide` or `fail`, then `settle`, then `deliver`.
/// If the store throws an error, the pipeline calls `fail` as the last step.
///
/// This is a class, because its fields would otherwise be copied into the frames of async
/// functions.
final class RunConclusion {
  let leased: LeasedJob
  let work: RunWork
  /// The commit of the run. Before `decide` or `fail` is called, it has the outcome of an abandoned
  /// run.
  private(set) var commit: RunCommit
  /// The lines that are added to the run's log after the plugin's lines.
  private(set) var hints: [LogLine] = []
  /// The hub that the answers name: see `RunFacts.hub`. `RunSession.settle` sets it.
  var hub: HubDiscovery?

  init(_ leased: LeasedJob, _ work: RunWork) {
    self.leased = leased
    self.work = work
    commit = RunCommit(record: leased.record, jobID: leased.snapshot.id)
    commit.record.duration = work.duration
    commit.record.cpu = work.cpu
    commit.record.requestCount = work.requestCount
    commit.record.receivedBytes = work.receivedBytes
    // The commit of a failed run also has cooldowns, since a run often fails after a 429.
    commit.coolDowns = Dictionary(
      work.retryAfters.map { (ExactText($0.origin), $0.until) }, uniquingKeysWith: max)
    commit.identity = leased.job.identity
    commit.grant = leased.decision.kept
  }

  var failure: Failure? { commit.record.outcome.failure }

  // MARK: The outcome

  /// Decides the outcome of a run whose plugin did not fail. The run fails if the job would exceed
  /// its maximum size in the store.
  ///
  /// - Parameter comparison: the comparison of the products with the known items; nil if there is
  ///   nothing to compare.
  func decide(_ products: WorkerProducts, _ comparison: RunComparison?) {
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
    // All hints are about the first items of a job.
    guard leased.snapshot.firstResultAt == nil else { return }
    hints = [
      forgottenReturn(products) ?? missingIdentity(products) ?? unreadDate(products),
      unreadAddress(products),
    ].compactMap(\.self)
  }

  /// Ends the run as failed. The parts that checkpoints of the run have stored stay in the store.
  func fail(_ failure: Failure) {
    commit.record.outcome = .failed(failure)
    commit.record.checkpointed = work.stored.counts
  }

  /// Adds to the commit what the store keeps of a failed run: its answers, or the reason why they
  /// are missing. Nil adds nothing.
  func keep(_ answers: KeptAnswers?) { commit.kept = answers }

  /// Returns the rules for comparing the items. `complete` is also true if the plugin declares its
  /// result complete. The declaration counts even without full answers, since the plugin's state
  /// may show which items a 304 confirms.
  func rules(for products: WorkerProducts) -> ItemRules {
    var rules = leased.job.rules
    rules.complete = rules.complete || products.isWhole
    return rules
  }

  /// Whether the items are all items of the source. Either the plugin must declare this, or the
  /// answers must show this in a run that is not for a transfer. Also, each hook must have
  /// processed each item, since a hook can change an item's identity or drop the item.
  func isWhole(_ products: WorkerProducts) -> Bool {
    let isWhole =
      products.isWhole || !leased.isOfTransfer && OutcomeRule.isWhole(answers: work.answerFacts)
    return isWhole && !work.hasItemsOfFailedHook
  }

  // MARK: The next due time

  /// Returns the facts for the next due time. Reads the dates of all new items.
  func facts() -> RunFacts {
    var facts = RunFacts(answers: work.answers, retryAfters: work.retryAfters)
    facts.postponedUntil = work.postponedUntil
    facts.feedHints = work.feedHints
    facts.hubLinks = work.hubLinks
    // A first run under the rule `baseline` has no news, but its items describe the source.
    // The indexes avoid copies of the items.
    let changes = commit.changes.changes
    let new = changes.indices.filter {
      changes[$0].kind == .added || changes[$0].kind == .baseline
    }
    facts.newCount = new.count + work.stored.counts.added
    // Atom requires the time of an entry's update, but not of its publication (RFC 4287, 4.1.2).
    // For a new entry, either time shows when the source has news.
    facts.newTimes = new.compactMap {
      (changes[$0].item?.published ?? changes[$0].item?.updated)
        .flatMap(Timestamp.init(rfc3339:))
    }
    facts.shownCount = commit.changes.itemCount + work.stored.itemCount
    return facts
  }

  /// Adds the job's next due time, the changed memory and the cooldowns to the commit.
  func settle(_ settlement: RunSettlement) {
    commit.record.nextDueAt = settlement.nextDueAt
    commit.schedule = settlement.schedule
    commit.shared = settlement.shared
    commit.coolDowns.merge(settlement.coolDowns, uniquingKeysWith: max)
  }

  /// Adds the deliveries for hooks. If the run was made for a transfer, the transfer counts as
  /// reported to the plugin. This also applies to a failed run, but not if the run was cancelled or
  /// the grant refused the run.
  func deliver(_ deliveries: [NewDelivery]) {
    commit.deliveries = deliveries
    if failure?.code != .cancelled, leased.decision.isRun {
      commit.toldTransfer = leased.transfer?.id
    }
  }
}

/// The items of one part of a run, and the facts about these items in the store.
struct RunComparison: Sendable {
  var items: IdentifiedItems
  var rules: ItemRules
  var known: KnownItems
  /// Whether the items are all items of the source.
  var isWhole: Bool

  /// Returns the changes of the items. `earlier` contains the keys of the items in earlier parts of
  /// the run.
  func changes(of leased: LeasedJob, after earlier: Set<ItemKey>) -> RunChanges {
    Diff.decide(
      items, rules: rules, known: known, isFirstRun: leased.isOfFirstRun, isWhole: isWhole,
      earlier: earlier, now: leased.record.startedAt)
  }
}

/// The requests, answers and costs of a run, from which the run's conclusion is made.
struct RunWork: Sendable {
  /// The time from `RunSession.begunAt` to the end of the plugin.
  var duration: Duration = .zero
  /// The CPU time of the plugin and of the run's hooks together. `requestCount` and `receivedBytes`
  /// also include the requests of the hooks.
  var cpu: Duration = .zero
  var requestCount = 0
  var receivedBytes = 0
  var stored = StoredParts()
  /// The transfers that the plugin has requested since the last checkpoint.
  var transfers: [QueuedTransfer] = []
  /// One fact for each answer, in the order of the answers.
  var answers: [HTTPFact] = []
  /// The result of each request. Requests without an answer are included, in contrast to `answers`.
  var answerFacts: [AnswerFact] = []
  var retryAfters: [RetryAfterNote] = []
  /// The latest time until which a request was postponed; nil if no request was postponed.
  var postponedUntil: Timestamp?
  /// The validators that are not in the store yet.
  var validators: [ExactText: Validators] = [:]
  /// The hints in the feeds about when to request them again.
  var feedHints = FeedHints()
  var hubLinks: HubLinks?
  /// Whether an item stayed unchanged because a hook failed or was not called.
  var hasItemsOfFailedHook = false
  var isRehearsal = false
  /// The number of file changes that a rehearsal did not make.
  var unchangedFileCount = 0
  /// The maximum size of one job in the store, in bytes.
  var storedBytesMax = Int64.max
}

/// The parts of a run that its checkpoints have stored, and the items of its report.
struct StoredParts: Sendable {
  var counts = ChangeCounts()
  /// The news items for the report, and the number of all news items. Only the rules `all` and
  /// `last` of `RunNews` set them.
  var (lines, newsCount): ([StoredItem], Int) = ([], 0)
  var itemCount = 0
  /// The number of stored items that are not news because of `first_run`.
  var silentCount = 0
  var transferCount = 0
  var shown: Set<ItemKey> = []
  /// The number of bytes that the items take in the store.
  var byteCount = 0
  /// The number of checkpoints. It distinguishes the deliveries of different parts of a run.
  var partCount = 0
  /// The number of items with content, and the number of empty items.
  var (givenCount, emptyCount) = (0, 0)

  mutating func add(_ commit: RunCommit, _ receipt: CommitReceipt) {
    counts = counts + commit.changes.counts
    itemCount += commit.changes.itemCount
    silentCount += commit.changes.silentCount
    shown.formUnion(commit.changes.shown)
    byteCount += receipt.byteCount
    partCount += 1
    transferCount += commit.transfers.count
  }

  /// The log line about empty items that were skipped. Nil if no item was empty, or if all items
  /// were empty.
  var emptyNote: LogLine? {
    if givenCount == 0 || emptyCount == 0 { return nil }
    return LogLine(
      .warning,
      emptyCount == 1
        ? "1 item is empty and was skipped"
        : "\(emptyCount) items are empty and were skipped")
  }
}
