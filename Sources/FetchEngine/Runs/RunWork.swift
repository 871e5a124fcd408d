import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// What a run did and was answered until its plugin ended: beside the job and the result all that its
/// conclusion rests on.
struct RunWork: Sendable {
  /// From `RunSession.begunAt` to the end of the plugin.
  var duration: Duration = .zero
  /// The sum of the plugin and of the run's hooks, as are the requests and bytes.
  var cpu: Duration = .zero
  var requestCount = 0
  var receivedBytes = 0
  /// The parts that checkpoints have stored.
  var stored = StoredParts()
  /// Transfers that were asked for since the last checkpoint.
  var transfers: [QueuedTransfer] = []
  /// One for each answer, in the order they came.
  var answers: [HTTPFact] = []
  /// The answer to each request; more than `answers`, which lacks requests without an answer.
  var answerFacts: [AnswerFact] = []
  var retryAfters: [RetryAfterNote] = []
  /// Until when a request waits that was not made.
  var postponedUntil: Timestamp?
  /// Validators that the store does not have yet.
  var validators: [ExactText: Validators] = [:]
  /// What the feeds that were read say of when to ask again.
  var feedHints = FeedHints()
  /// Whether an item stayed as it was because a hook failed.
  var hasItemsOfFailedHook = false
  var isRehearsal = false
  /// Changes of files that a rehearsal has left undone.
  var unchangedFileCount = 0
  /// What one job may take in the store.
  var storedBytesMax = Int64.max
}

/// The parts of a run that its checkpoints have stored, and the items of its report.
struct StoredParts: Sendable {
  var counts = ChangeCounts()
  /// News for the report, see `RunNews`, and how many there were.
  var (lines, newsCount): ([StoredItem], Int) = ([], 0)
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

  /// Adds a checkpoint that is stored.
  mutating func add(_ commit: RunCommit, _ receipt: CommitReceipt) {
    counts = counts + commit.changes.counts
    itemCount += commit.changes.itemCount
    silentCount += commit.changes.silentCount
    shown.formUnion(commit.changes.shown)
    byteCount += receipt.byteCount
    partCount += 1
    transferCount += commit.transfers.count
  }

  /// The line of the log on items that were left out; nil if none was, or the run failed for them.
  var emptyNote: LogLine? {
    if givenCount == 0 || emptyCount == 0 { return nil }
    return LogLine(
      .warning,
      emptyCount == 1
        ? "1 item has nothing in it and is left out"
        : "\(emptyCount) items have nothing in them and are left out")
  }
}
