/// The state of a transfer. The words are stable because other programs read them.
package enum TransferState: String, Sendable, CaseIterable {
  /// It waits for its turn; the service starts it.
  case queued
  /// An attempt is running.
  case running
  /// An attempt failed; the next is at `nextAttemptAt`.
  case waiting
  /// The file is in its place.
  case done
  /// It was given up, refused or cancelled; only a person or a new request changes that.
  case failed

  /// Whether it is unfinished. A job has at most one such transfer for each path.
  package var isPending: Bool { self != .done && self != .failed }
}
