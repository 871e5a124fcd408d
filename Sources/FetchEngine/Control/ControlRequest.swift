package import FetchModel

/// What another process asks of a running daemon, over its local socket.
package enum ControlRequest: Hashable, Sendable {
  /// All jobs, or one.
  case status(job: String?)
  case explain(job: String)
  case push(jobs: [String])
  /// Runs now through lanes and budget; `skipsInterval` passes over due times, back-off and run
  /// times. One that waits is answered with `RunAnswer`s until the runs have ended, without
  /// `skipsInterval` of those jobs alone whose time has come; others at once with `TriggerLine`s.
  case run(JobSelection, skipsInterval: Bool, waits: Bool = false)
  /// Runs a plugin once that no config names, and answers as `run` does that waits.
  case guest(GuestRequest)
  case pause(JobSelection)
  case resume(JobSelection)
  case budget
  case reload
  /// What the plugin of a job, or the file of a hook, is granted from now on, with the name in its
  /// manifest.
  case grant(of: GrantHolder, PinnedGrant, manifestName: String)
  /// At least one, by their ids; answered with a line for each as `fetchrun transfers --json` has it.
  case transfers(TransferCommand, ids: [Int64])

  /// At least one, by their ids; answered with a line for each as `fetchrun deliveries --json` has
  /// it.
  case deliveries(DeliveryAction, ids: [Int64])

  /// What a person does to deliveries.
  package enum DeliveryAction: String, Sendable, CaseIterable {
    case retry, drop
  }

  /// What a person does to transfers.
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

/// Which jobs a request is about.
package enum JobSelection: Hashable, Sendable {
  case all
  /// At least one.
  case named([String])
}
