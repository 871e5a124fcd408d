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
