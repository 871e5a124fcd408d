package import FetchModel
package import FetchValues

/// A request to a `ControlHandler`, in a daemon or in a command. Other processes send requests over
/// a local socket.
package enum ControlRequest: Hashable, Sendable {
  /// The status of all jobs, of the selected jobs or of one job.
  case status(job: JobName?, StatusFilter = StatusFilter())
  case explain(job: JobName)
  case push(jobs: [JobName])
  /// All subscriptions at hubs: one line for each.
  case subscriptions
  /// Requests the subscriptions with these ids from their hubs again. The list has at least one id.
  case renew(ids: [Int64])
  /// A hub's message to the callback of a subscription. The web process has checked the message.
  case subscription(id: Int64, HubMessage)
  /// The rule for HTTP pushes to a job, with the key for checking their signatures. The answer is
  /// one `PushRuleLine`.
  case pushRule(job: JobName)
  /// Runs jobs, subject to lanes and budget. With `skipsInterval`, jobs run regardless of due
  /// times, back-off and run times. With `waits` but without `skipsInterval`, no run is requested:
  /// the answer reports the runs that are due or under way.
  ///
  /// With `waits`, the answer consists of `RunAnswer`s. It ends when each run has ended or cannot
  /// start soon. Without `waits`, the answer consists of `TriggerLine`s, which are sent
  /// immediately.
  case run(JobSelection, skipsInterval: Bool, waits: Bool = false)
  /// Runs a plugin once without a job in the config. The answer consists of `RunAnswer`s, as for
  /// `run` with `waits`.
  case guest(GuestRequest)
  case pause(JobSelection)
  case resume(JobSelection)
  case budget
  /// The state of all jobs together. The answer is one line.
  case overview
  /// The times in the next `hours` hours at which the named jobs are expected to run. The list has
  /// at least one job.
  case plan(jobs: [JobName], hours: Int)
  /// The lanes that are in use or closed, with their hostnames.
  case lanes
  /// The findings about the workers' isolation and the HTTP library: one line for each.
  case doctor
  /// The metrics for monitoring. The answer is one `MetricsLine`, then a `JobMetricsLine` for each
  /// selected job.
  case metrics(MetricsSeries)
  /// Notifications of changes until the client disconnects or the daemon stops. Changes in quick
  /// succession are reported in one notification.
  case watch
  case reload
  /// The permissions that a job's plugin requests, and the permissions that are granted to the job.
  /// The answer is one line.
  case permissions(job: JobName)
  /// Grants the permissions that a job's plugin requests. The plugin must have the given hash, and
  /// the config must allow the permissions.
  case agree(job: JobName, hash: [UInt8])
  /// Stores the grant of a job's plugin or of a hook's file. `manifestName` is the name in the
  /// manifest of the plugin or file.
  case grant(of: GrantHolder, PinnedGrant, manifestName: PluginName)
  /// Changes the transfers with the given ids. The list has at least one id. The answer has a line
  /// for each transfer, as in `fetchrun transfers --json`, unless the action on it fails.
  case transfers(TransferCommand, ids: [Int64])

  /// Changes the deliveries with the given ids. The list has at least one id. The answer has a line
  /// for each delivery, as in `fetchrun deliveries --json`, unless the action on it fails.
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
      guest, overview, plan, lanes, doctor, metrics, watch, permissions, agree,
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
    case .doctor: .doctor
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
  case named([JobName])
}

/// A selection of status lines. If any of the filters below is set, the selected lines are ordered
/// by job name.
package struct StatusFilter: Hashable, Sendable {
  /// The states of the selected jobs; all states if the list is empty.
  package var states: [JobState] = []
  /// A string in the job's name, or a pattern with `*`: see `NamePattern.containing`. Nil selects
  /// all names.
  package var match: String?
  /// Whether to select only jobs that have failed since their last success, or whose plugin does
  /// not load.
  package var isFailing = false
  /// The job name after which the selection begins, in the order of names. A job with this name
  /// need not exist.
  package var after: String?
  /// The maximum number of lines, 1 to `limitMax`; nil for all.
  package var limit: Int?

  package static let limitMax = 1_000

  package init() {}

  package var selectsAll: Bool { self == StatusFilter() }
}

extension StatusFilter {
  var members: [(String, Value)] {
    var members: [(String, Value)] = []
    if !states.isEmpty {
      members.append(("state", .array(states.map { .string($0.rawValue) })))
    }
    if let match { members.append(("match", .string(match))) }
    if isFailing { members.append(("failing", .bool(true))) }
    if let after { members.append(("after", .string(after))) }
    if let limit { members.append(("limit", .integer(Int64(limit)))) }
    return members
  }

  /// Creates a filter from the members of a request. Throws an error if a member is invalid, since
  /// a filter without this member would select too many jobs.
  init(_ value: Value) throws(ControlError) {
    switch value["state"] {
    case nil, .null: break
    case .string(let word): states = [try Self.state(word)]
    case .array(let words):
      for word in words { states.append(try Self.state(word.stringValue ?? "")) }
    default:
      throw ControlError(
        .badRequest, "the request has an invalid `state`: use a string or a list of strings")
    }
    match = try Self.member("match", of: value, \.stringValue, use: "a string")
    isFailing = try Self.member("failing", of: value, \.boolValue, use: "true or false") ?? false
    after = try Self.member("after", of: value, \.stringValue, use: "a string")
    guard let number = value["limit"], !number.isNull else { return }
    guard let limit = number.integerValue, (1...Int64(Self.limitMax)).contains(limit) else {
      throw ControlError(
        .badRequest, "the request has an invalid limit: use 1 to \(Self.limitMax)")
    }
    self.limit = Int(limit)
  }

  /// Returns a member of a request; nil if the member is missing or null. Throws an error if the
  /// member has the wrong type.
  private static func member<T>(
    _ name: String, of request: Value, _ content: KeyPath<Value, T?>, use: String
  ) throws(ControlError) -> T? {
    guard let value = request[name], !value.isNull else { return nil }
    guard let content = value[keyPath: content] else {
      throw ControlError(.badRequest, "the request has an invalid `\(name)`: use \(use)")
    }
    return content
  }

  private static func state(_ word: String) throws(ControlError) -> JobState {
    if let state = JobState(rawValue: word) { return state }
    let words = JobState.allCases.map(\.rawValue)
    throw ControlError(
      .badRequest,
      "the request has the unknown state '\(word.prefix(40))'\(NearestName.hint(word, among: words))"
    )
  }
}

/// The jobs that have their own time series in the metrics.
package enum MetricsSeries: Hashable, Sendable {
  /// The first jobs by name, at most the given number; 0 means no jobs.
  case first(Int)
  /// The jobs with the given names. Names of unknown jobs are ignored.
  case named([JobName])

  /// The maximum number of jobs that have their own time series. Each such job has six time series.
  package static let jobsMax = 20_000
}
