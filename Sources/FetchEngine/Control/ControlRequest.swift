package import FetchModel

/// A request of another process to a running daemon, over its local socket.
package enum ControlRequest: Hashable, Sendable {
  /// The status of all jobs or of one.
  case status(job: String?)
  case explain(job: String)
  case push(jobs: [String])
  /// Runs jobs now, subject to lanes and budget; `skipsInterval` ignores due times, back-off and
  /// run times. With `waits` the answer consists of `RunAnswer`s until the runs have ended, without
  /// `skipsInterval` only for jobs that are due. Without `waits` the answer is `TriggerLine`s,
  /// immediately.
  case run(JobSelection, skipsInterval: Bool, waits: Bool = false)
  /// Runs a plugin once that is in no config, and answers like a `run` that waits.
  case guest(GuestRequest)
  case pause(JobSelection)
  case resume(JobSelection)
  case budget
  case reload
  /// Stores the grant of a job's plugin or of a hook's file, with the name in its manifest.
  case grant(of: GrantHolder, PinnedGrant, manifestName: String)
  /// Changes transfers by id, at least one. The answer has a line for each, as in `fetchrun
  /// transfers --json`.
  case transfers(TransferCommand, ids: [Int64])

  /// Changes deliveries by id, at least one. The answer has a line for each, as in `fetchrun
  /// deliveries --json`.
  case deliveries(DeliveryAction, ids: [Int64])

  /// A person's action on deliveries.
  package enum DeliveryAction: String, Sendable, CaseIterable {
    case retry, drop
  }

  /// A person's action on transfers.
  package enum TransferCommand: String, Sendable, CaseIterable {
    case cancel, retry
  }

  package enum Verb: String, Sendable, CaseIterable {
    case status, explain, push, run, pause, resume, budget, reload, transfers, deliveries, grant,
      guest
  }

  package var verb: Verb {
    switch self {
    case .status: .status
    case .explain: .explain
    case .push: .push
    case .run: .run
    case .guest: .guest
    case .pause: .pause
    case .resume: .resume
    case .budget: .budget
    case .reload: .reload
    case .transfers: .transfers
    case .deliveries: .deliveries
    case .grant: .grant
    }
  }
}

/// The jobs that a request is about.
package enum JobSelection: Hashable, Sendable {
  case all
  /// Named jobs, at least one.
  case named([String])
}
