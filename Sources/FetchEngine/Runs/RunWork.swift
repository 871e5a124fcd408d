import FetchHost
import FetchModel
import FetchStore
import FetchValues

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
