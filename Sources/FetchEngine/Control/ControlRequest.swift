package import FetchModel

/// A request that another process sends to a running daemon over the daemon's local socket.
package enum ControlRequest: Hashable, Sendable {
  /// The status of all jobs, of the selected jobs or of one job.
  case status(job: String?, StatusFilter = StatusFilter())
  case explain(job: String)
  case push(jobs: [String])
  /// All subscriptions at hubs: one line for each.
  case subscriptions
  /// Asks the hubs of the subscriptions with these ids again. The list has at least one id.
  case renew(ids: [Int64])
  /// A hub's message to a subscription's callback, which the web process has checked.
  case subscription(id: Int64, HubMessage)
  /// The rule for pushes to a job over HTTP, with the key of its signatures. The answer is one
  /// `PushRuleLine`.
  case pushRule(job: String)
  /// Runs jobs now, subject to lanes and budget. `skipsInterval` ignores due times, back-off and
  /// run times. With `waits` but without `skipsInterval`, only due jobs run.
  ///
  /// With `waits` the answer consists of `RunAnswer`s, and ends when the runs have ended. Without
  /// `waits` the answer consists of `TriggerLine`s, which are sent immediately.
  case run(JobSelection, skipsInterval: Bool, waits: Bool = false)
  /// Runs a plugin once without a job in the config. The answer consists of `RunAnswer`s, as for
  /// `run` with `waits`.
  case guest(GuestRequest)
  case pause(JobSelection)
  case resume(JobSelection)
  case budget
  /// The state of all jobs together. The answer is one line.
  case overview
  /// The times at which the named jobs are expected to run in the given number of hours. The list
  /// has at least one job.
  case plan(jobs: [String], hours: Int)
  /// The lanes of hostnames that are in use or closed.
  case lanes
  /// The numbers for monitoring. The answer is one line.
  case metrics(MetricsSeries)
  /// Notifications of changes. The client receives one for each change until it disconnects.
  case watch
  case reload
  /// The permissions of a job, which the answer states in one line: the requests of its file, and the granted ones.
  case permissions(job: String)
  /// Grants what the file of a job asks for, if the file has that hash.
  case agree(job: String, hash: [UInt8])
  /// Stores the grant of a job's plugin or of a hook's file. `manifestName` is the name in the
  /// manifest of the plugin or file.
  case grant(of: GrantHolder, PinnedGrant, manifestName: String)
  /// Changes the transfers with the given ids. The list has at least one id. The answer has a line
  /// for each transfer, as in `fetchrun transfers --json`.
  case transfers(TransferCommand, ids: [Int64])

  /// Changes the deliveries with the given ids. The list has at least one id. The answer has a line
  /// for each delivery, as in `fetchrun deliveries --json`.
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
      guest, overview, plan, lanes, metrics, watch, permissions, agree,
      pushRule, subscriptions, renew, subscription
  }

  package var verb: Verb {
    switch self {
    case .status: .status
    case .explain: .explain
    case .push: .push
    case .pushRule: .pushRule
    case .subscriptions: .subscriptions
    case .renew: .renew
    case .subscription: .subscription
    case .run: .run
    case .guest: .guest
    case .overview: .overview
    case .plan: .plan
    case .lanes: .lanes
    case .metrics: .metrics
    case .watch: .watch
    case .permissions: .permissions
    case .agree: .agree
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

/// The jobs to which a request applies.
package enum JobSelection: Hashable, Sendable {
  case all
  /// The jobs with these names. The list has at least one name.
  case named([String])
}
