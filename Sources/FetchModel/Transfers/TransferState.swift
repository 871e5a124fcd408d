/// Where a transfer stands. Stable: other programs read these words.
package enum TransferState: String, Sendable, CaseIterable {
  /// Waits for its turn: the service moves it on.
  case queued
  /// An attempt is under way.
  case running
  /// An attempt failed; the next is at `nextAttemptAt`.
  case waiting
  /// The file is in its place.
  case done
  /// Given up, refused or cancelled; only a person, or another request for it, moves it on.
  case failed

  /// Whether it is still to be done. A job has one such transfer for each path.
  package var isPending: Bool { self != .done && self != .failed }
}
