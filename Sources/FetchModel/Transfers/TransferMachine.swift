package import FetchValues

/// The state machine of one transfer. It receives events, changes the record and returns actions.
/// An event that does not fit the present state changes nothing.
///
///     queued  -> running -> done
///                        -> waiting -> running …
///                        -> queued             (stopped)
///     waiting -> queued                        (retry)
///     queued, running or waiting -> failed
///     failed  -> queued                        (retry)
package struct TransferMachine: Sendable {
  package private(set) var record: TransferRecord
  /// Whether the plugin must be notified of the end of the transfer.
  private var isHeard = true

  package init(_ record: TransferRecord) { self.record = record }

  /// Handles an event and returns the actions to take.
  ///
  /// - Parameters:
  ///   - chance: a random number in 0..<1.
  ///   - isHeard: whether the plugin must be notified of the end. If not, the plugin counts as
  ///     notified.
  package mutating func handle(
    _ event: TransferEvent, now: Timestamp, chance: Double, isHeard: Bool = true
  ) -> [TransferAction] {
    let before = record
    self.isHeard = isHeard
    let actions = actions(for: event, now, chance)
    if record != before { record.updatedAt = now }
    return actions
  }

  private mutating func actions(
    for event: TransferEvent, _ now: Timestamp, _ chance: Double
  ) -> [TransferAction] {
    switch (event, record.state) {
    case (.start, .queued), (.start, .waiting): return start()
    case (.lasted, .running): return [.store]
    case (.received(let download, let boot), .running):
      record.download = download
      record.boot = boot
      return [.store]
    case (.finished(let download, let sha256), .running): return finish(download, sha256)
    case (.failed(let failure), .running): return fail(failure, now, chance)
    case (.stopped(let until), .running):
      record.state = until == nil ? .queued : .waiting
      record.nextAttemptAt = until
      return [.store]
    case (.refused(let failure), let state) where state.isPending: return end(failure)
    case (.cancel(let failure), let state) where state.isPending: return end(failure)
    case (.retry, let state) where state.canBeRetried: return retry()
    default: return []
    }
  }

  private mutating func start() -> [TransferAction] {
    record.state = .running
    record.attemptCount += 1
    record.nextAttemptAt = nil
    // For a request with a backup, the new `attemptCount` is stored before the attempt. Only a
    // later attempt looks for the proof of a placed file.
    return record.request.backup == nil ? [.fetch] : [.store, .fetch]
  }

  private mutating func finish(
    _ download: PartialDownload, _ sha256: [UInt8]?
  ) -> [TransferAction] {
    record.state = .done
    record.download = download
    record.sha256 = sha256
    record.failure = nil
    record.failureCount = 0
    record.failingSince = nil
    // An earlier attempt may have left a proof of a file of any size.
    let hasProof =
      record.attemptCount > 1 || record.request.leavesProof(size: download.receivedBytes)
    return told(hasProof ? [.store, .discard] : [.store])
  }

  private mutating func told(_ actions: [TransferAction]) -> [TransferAction] {
    record.isTold = !isHeard
    return isHeard ? actions + [.tell] : actions
  }

  private mutating func fail(
    _ attempt: TransferEvent.AttemptFailure, _ now: Timestamp, _ chance: Double
  ) -> [TransferAction] {
    if attempt.hasChanged { record.changeCount += 1 }
    guard attempt.failure.retryable else { return end(attempt.failure) }
    if record.changeCount > TransferRetry.changesMax {
      return end(
        Failure(
          .invalidResponse,
          "the file at \(record.request.url) apparently changed during \(record.changeCount)"
            + " attempts to download it; the last failure: \(attempt.failure.message)"))
    }
    if attempt.gainedBytes >= TransferRetry.gainBytesMin {
      record.failureCount = 0
      record.failingSince = nil
    } else if attempt.failure.code == .offline {
      // An outage of the network does not count as a failure, so it never ends a transfer.
      return wait(attempt.failure, until: now + TransferRetry.whileOffline)
    } else {
      record.failureCount += 1
      record.failingSince = record.failingSince ?? now
    }
    let failingFor = record.failingSince.map { now - $0 } ?? .zero
    let delay = TransferRetry.delay(
      failures: record.failureCount, failingFor: failingFor, chance: chance)
    guard let delay else { return end(attempt.failure) }
    return wait(attempt.failure, until: max(now + delay, attempt.notBefore ?? now))
  }

  private mutating func wait(_ failure: Failure, until time: Timestamp) -> [TransferAction] {
    record.state = .waiting
    record.failure = failure
    record.nextAttemptAt = time
    return [.store]
  }

  private mutating func end(_ failure: Failure) -> [TransferAction] {
    record.state = .failed
    record.failure = failure
    record.nextAttemptAt = nil
    return told([.store, .discard])
  }

  /// Queues the transfer again and resets its counts of failures and changes. A waiting transfer
  /// keeps its received bytes.
  private mutating func retry() -> [TransferAction] {
    if record.state == .failed {
      record.download = PartialDownload()
      record.download.totalBytes = record.request.size
      record.isTold = false
      record.failure = nil
    }
    record.state = .queued
    record.nextAttemptAt = nil
    record.failureCount = 0
    record.failingSince = nil
    record.changeCount = 0
    return [.store]
  }
}

/// The rule for when a transfer is attempted again after a failed attempt, and when fetchrun gives
/// the transfer up.
///
/// The delay after an attempt that added at least `gainBytesMin` is `afterGain`. After an attempt
/// that added less, three quick retries follow, because most faults end quickly. Later retries
/// follow `Backoff`. If failures without progress have lasted for two weeks, the transfer is given
/// up.
package enum TransferRetry {
  package static let afterGain: Duration = .seconds(1)
  /// The delay between attempts while the machine is offline, if no event reports that the network
  /// is back.
  package static let whileOffline = Backoff.firstDelay
  package static let givenUpAfter = Backoff.longDeadAfter
  /// The minimum number of bytes that an attempt must add to the received part to count as
  /// progress.
  package static let gainBytesMin: Int64 = 64 << 10
  /// A transfer fails if its `changeCount` exceeds this number. A file that changes with each
  /// request cannot be downloaded in parts.
  package static let changesMax = 10

  /// Returns the delay after `failures` consecutive failures over a time of `failingFor`; nil if
  /// the transfer must be given up.
  package static func delay(
    failures: Int, failingFor: Duration, chance: Double
  ) -> Duration? {
    if failures == 0 { return afterGain }
    if failingFor >= givenUpAfter { return nil }
    let backoff = Backoff.outage(
      quick: Backoff.quickDelays, failures: failures, failingFor: failingFor)
    let longest = backoff.longest(failures: failures)
    if failures <= backoff.quick.count { return longest }
    return backoff.delay(failures: failures, floor: longest / 2, chance: chance)
  }
}

/// An action that the transfer service must take for a transfer. The service takes actions in the
/// order of the list.
package enum TransferAction: Equatable, Sendable {
  /// Store the changed record. No action comes before this one.
  case store
  /// Start an attempt to download.
  case fetch
  /// Remove the files of the partial download from the disk.
  case discard
  /// Notify the plugin that the transfer has ended.
  case tell
}

/// An event that can change the state of a transfer.
package enum TransferEvent: Equatable, Sendable {
  /// The service starts an attempt, because a place is free for the transfer.
  case start
  /// The attempt has lasted so long that the transfer is shown as running, also by other processes.
  case lasted
  /// The current attempt reports a new state of the partial file, which must be stored. The bytes
  /// that this state counts are durable.
  case received(PartialDownload, boot: String?)
  /// The file is complete and has been moved to its final place.
  case finished(PartialDownload, sha256: [UInt8]?)
  /// The attempt failed.
  case failed(AttemptFailure)
  /// The attempt was stopped without a failure. If `until` is set, the budget allows no attempt
  /// before this time. Otherwise, the transfer is queued again, for example because the process
  /// ends or the job is paused.
  case stopped(until: Timestamp?)
  /// The transfer is not allowed, for example because the job has no permission for the file or no
  /// longer exists.
  case refused(Failure)
  /// A person cancelled the transfer.
  case cancel(Failure)
  /// A person requests a retry, or the network is available again. A waiting or failed transfer is
  /// queued immediately.
  case retry

  /// Whether the event ends a pending transfer without a file. The attempt under way must have ended
  /// before the event is handled, so that it cannot place its file afterwards.
  package var endsTransfer: Bool {
    switch self {
    case .refused, .cancel: true
    default: false
    }
  }

  package struct AttemptFailure: Equatable, Sendable {
    package var failure: Failure
    /// The number of bytes that the attempt added to the received part. Bytes that a later attempt
    /// cannot keep do not count.
    package var gainedBytes: Int64
    /// Whether the received part was discarded because the file has changed or may have changed.
    package var hasChanged = false
    /// The earliest time that the server allows for a retry; nil if the server named none.
    package var notBefore: Timestamp?

    package init(_ failure: Failure, gainedBytes: Int64 = 0) {
      self.failure = failure
      self.gainedBytes = gainedBytes
    }
  }
}
