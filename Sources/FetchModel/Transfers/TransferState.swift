/// The state of a transfer. The raw values are stable because other programs read them.
package enum TransferState: String, Sendable, CaseIterable {
  /// The transfer waits for a free place. The service starts the transfer when a place is free.
  case queued
  /// An attempt is running.
  case running
  /// An attempt failed, and the next attempt starts at `nextAttemptAt`.
  case waiting
  /// The file is complete and has its final name.
  case done
  /// The transfer was given up, refused or cancelled. Only a person or a new request starts it
  /// again.
  case failed

  /// Whether the transfer is unfinished. A job has at most one unfinished transfer for each path.
  package var isPending: Bool { self != .done && self != .failed }
}
