import FetchModel
import FetchValues

/// A request as one line of JSON. Without `jobs`, the requests `status`, `pause` and `resume` apply
/// to all jobs, and `run` applies to all enabled jobs. Unknown keys are ignored.
///
/// - `{"verb":"push","jobs":["reuters"]}`; for `run` also with `"now":true` and `"wait":true`.
/// - `{"verb":"transfers","cancel":[7]}`, or with `"retry"` instead of `"cancel"`.
/// - `{"verb":"deliveries","retry":[7]}`, or with `"drop"` instead of `"retry"`.
/// - `{"verb":"grant","jobs":["reuters"],"plugin":…,"name":…,"hash":…,"asks":[…],"at":…}`; for a
///   hook with `"hook":"phone"` instead of `jobs`.
/// - `{"verb":"status","state":["waiting"],"match":"news*","failing":true,"limit":100}`, also with
///   `"after":"b"`.
/// - `{"verb":"plan","jobs":["reuters"],"hours":6}`.
/// - `{"verb":"metrics","limit":200}`; with `jobs` instead of `limit`, the answer has series of
///   these jobs only.
extension ControlRequest {
  /// The maximum length of a request's line in bytes, including the line break. It is enough for
  /// thousands of job names.
  package static let bytesMax = 64 << 10
  private static let depthMax = 4

  /// Returns the line with its line break. Throws `badRequest` if the line is too long or the
  /// request cannot be written as JSON.
  package func line() throws(ControlError) -> [UInt8] {
    let text: String
    do { text = try JSONWriter.text(value) } catch {
      throw ControlError(.badRequest, "the request cannot be written: \(error)")
    }
    let bytes = Array(text.utf8) + [UInt8(ascii: "\n")]
    guard bytes.count <= Self.bytesMax else {
      if case .guest = self {
        throw ControlError(
          .badRequest,
          "a daemon uses this store, and the options are too long to send to the daemon: use "
            + "another store with --store try.sqlite")
      }
      throw ControlError(.badRequest, "the request is too long: name fewer jobs or ids")
    }
    return bytes
  }

  private var value: Value {
    var object = ValueObject([("verb", .string(verb.rawValue))])
    if let jobs { object.append("jobs", .array(jobs.map { .string($0.text) })) }
    if case .run(_, let skipsInterval, let waits) = self {
      object.append("now", .bool(skipsInterval))
      if waits { object.append("wait", .bool(true)) }
    }
    if case .transfers(let deed, let ids) = self {
      object.append(deed.rawValue, .array(ids.map(Value.integer)))
    }
    if case .deliveries(let deed, let ids) = self {
      object.append(deed.rawValue, .array(ids.map(Value.integer)))
    }
    if case .status(_, let filter) = self {
      for (key, value) in filter.members { object.append(key, value) }
    }
    if case .renew(let ids) = self { object.append("ids", .array(ids.map(Value.integer))) }
    if case .subscription(let id, let message) = self {
      object.append("ids", [.integer(id)])
      for (key, value) in message.members { object.append(key, value) }
    }
    if case .agree(_, let hash) = self {
      object.append("hash", .string(Hexadecimal.text(of: hash)))
    }
    if case .plan(_, let hours) = self { object.append("hours", .integer(Int64(hours))) }
    if case .metrics(.first(let count)) = self, count > 0 {
      object.append("limit", .integer(Int64(count)))
    }
    if case .guest(let request) = self {
      for (key, value) in request.members { object.append(key, value) }
    }
    if case .grant(let holder, let grant, let manifestName) = self {
      if case .hook(let name) = holder { object.append("hook", .string(name.text)) }
      object.append("plugin", .string(grant.plugin))
      object.append("name", .string(manifestName.text))
      object.append("hash", .string(Hexadecimal.text(of: grant.hash)))
      object.append("asks", grant.granted.value)
      object.append("at", .integer(grant.grantedAt.milliseconds))
    }
    return .object(object)
  }

  private var jobs: [JobName]? {
    switch self {
    case .status(let job, _): job.map { [$0] }
    case .plan(let jobs, _), .metrics(.named(let jobs)): jobs
    case .explain(let job), .grant(.job(let job), _, _), .permissions(let job), .agree(let job, _),
      .pushRule(let job):
      [job]
    case .push(let jobs): jobs
    case .run(.named(let jobs), _, _), .pause(.named(let jobs)), .resume(.named(let jobs)): jobs
    default: nil
    }
  }

  /// Creates a request from the bytes of a line. Throws an error with a message if the bytes are
  /// not a valid request.
  package init(line: [UInt8]) throws(ControlError) {
    let value: Value
    do { value = try JSONReader.decode(line, depthMax: Self.depthMax) } catch {
      throw Self.problem("is not JSON: \(error)")
    }
    guard let word = value["verb"]?.stringValue else { throw Self.problem("has no verb") }
    guard let verb = Verb(rawValue: word) else {
      let hint = NearestName.hint(word, among: Verb.allCases.map(\.rawValue))
      throw Self.problem("has the unknown verb '\(word.prefix(40))'\(hint)")
    }
    try self.init(verb, jobs: Self.jobs(value["jobs"]), value)
  }

  private init(_ verb: Verb, jobs: [JobName]?, _ value: Value) throws(ControlError) {
    let selection = jobs.map(JobSelection.named) ?? .all
    switch verb {
    case .status:
      self = .status(job: try Self.atMostOne(jobs), try StatusFilter(value))
    case .overview: self = .overview
    case .subscriptions: self = .subscriptions
    case .renew: self = .renew(ids: try Self.ids(value["ids"], of: "subscriptions"))
    case .subscription:
      let ids = try Self.ids(value["ids"], of: "subscriptions")
      guard ids.count == 1, let message = HubMessage(value) else {
        throw Self.problem("needs the id of one subscription and a message of a hub")
      }
      self = .subscription(id: ids[0], message)
    case .plan: self = try Self.plan(jobs, value)
    case .lanes: self = .lanes
    case .doctor: self = .doctor
    case .metrics:
      let limit = value["limit"]?.integerValue ?? 0
      self = .metrics(
        jobs.map(MetricsSeries.named)
          ?? .first(Int(max(0, min(limit, Int64(MetricsSeries.jobsMax))))))
    case .watch: self = .watch
    case .permissions, .agree:
      guard let job = try Self.atMostOne(jobs) else { throw Self.problem("names no job") }
      self = verb == .permissions ? .permissions(job: job) : try Self.agreement(job, value)
    case .explain, .pushRule:
      guard let job = try Self.atMostOne(jobs) else { throw Self.problem("names no job") }
      self = verb == .explain ? .explain(job: job) : .pushRule(job: job)
    case .push:
      guard let jobs else { throw Self.problem("names no job") }
      self = .push(jobs: jobs)
    case .run:
      self = .run(
        selection, skipsInterval: value["now"]?.boolValue ?? false,
        waits: value["wait"]?.boolValue ?? false)
    case .guest:
      guard let job = try Self.atMostOne(jobs), let request = GuestRequest(job: job, value) else {
        throw Self.problem("does not describe a valid run of a plugin")
      }
      self = .guest(request)
    case .pause: self = .pause(selection)
    case .resume: self = .resume(selection)
    case .budget: self = .budget
    case .reload: self = .reload
    case .grant:
      guard
        let holder = try Self.atMostOne(jobs).map(GrantHolder.job)
          ?? value["hook"]?.stringValue.map({ .hook(HookName($0)) })
      else { throw Self.problem("names no job and no hook") }
      guard let name = value["name"]?.stringValue, let grant = Self.grant(value) else {
        throw Self.problem("has no valid grant")
      }
      self = .grant(of: holder, grant, manifestName: PluginName(name))
    case .transfers:
      guard let deed = TransferCommand.allCases.first(where: { value[$0.rawValue] != nil }) else {
        throw Self.problem("has neither `cancel` nor `retry`")
      }
      self = .transfers(deed, ids: try Self.ids(value[deed.rawValue], of: "transfers"))
    case .deliveries:
      guard let deed = DeliveryAction.allCases.first(where: { value[$0.rawValue] != nil }) else {
        throw Self.problem("has neither `retry` nor `drop`")
      }
      self = .deliveries(deed, ids: try Self.ids(value[deed.rawValue], of: "deliveries"))
    }
  }

  private static func plan(
    _ jobs: [JobName]?, _ value: Value
  ) throws(ControlError) -> ControlRequest {
    guard let jobs else { throw problem("names no job") }
    guard jobs.count <= PlanLine.jobsMax else {
      throw problem("names more than \(PlanLine.jobsMax) jobs")
    }
    let hours = value["hours"]?.integerValue ?? Int64(PlanLine.hoursUsual)
    guard (1...Int64(PlanLine.hoursMax)).contains(hours) else {
      throw problem("has an invalid number of hours: use 1 to \(PlanLine.hoursMax)")
    }
    return .plan(jobs: jobs, hours: Int(hours))
  }

  private static func agreement(
    _ job: JobName, _ value: Value
  ) throws(ControlError) -> ControlRequest {
    guard let hash = value["hash"]?.stringValue.flatMap({ Hexadecimal.bytes(of: Array($0.utf8)) })
    else { throw problem("has no valid hash of a file") }
    return .agree(job: job, hash: hash)
  }

  private static func ids(_ value: Value?, of what: String) throws(ControlError) -> [Int64] {
    let listed = value?.arrayValue ?? []
    let ids = listed.compactMap(\.integerValue)
    guard !ids.isEmpty, ids.count == listed.count else {
      throw problem("needs a list of ids of \(what)")
    }
    return ids
  }

  private static func grant(_ value: Value) -> PinnedGrant? {
    guard let plugin = value["plugin"]?.stringValue, let hash = value["hash"]?.stringValue,
      let bytes = Hexadecimal.bytes(of: Array(hash.utf8)), let at = value["at"]?.integerValue,
      let granted = value["asks"].flatMap(AskedPermissions.init)
    else { return nil }
    return PinnedGrant(
      plugin: plugin, hash: bytes, granted: granted, at: Timestamp(milliseconds: at),
      source: .agreement)
  }

  /// Returns the names of the jobs; nil if the request names none. Throws an error for an invalid
  /// or empty list, since an empty list must not select all jobs.
  private static func jobs(_ value: Value?) throws(ControlError) -> [JobName]? {
    guard let value, !value.isNull else { return nil }
    guard case .array(let elements) = value, !elements.isEmpty else {
      throw problem("has an invalid `jobs`: use a list of at least one name")
    }
    let names = elements.compactMap(\.stringValue)
    guard names.count == elements.count else {
      throw problem("has an entry in `jobs` that is not a string")
    }
    return names.map { JobName($0) }
  }

  private static func atMostOne(_ jobs: [JobName]?) throws(ControlError) -> JobName? {
    guard (jobs?.count ?? 0) <= 1 else { throw problem("names more than one job") }
    return jobs?.first
  }

  private static func problem(_ problem: String) -> ControlError {
    ControlError(.badRequest, "the request \(problem)")
  }
}

extension HubMessage {
  /// The members that describe the hub's message in a request: `"event":"verified","lease":864000`,
  /// `"event":"denied","reason":"…"` or `"event":"pushed"`.
  fileprivate var members: [(String, Value)] {
    switch self {
    case .verified(let lease):
      [("event", "verified"), ("lease", lease.map(Value.integer) ?? .null)]
    case .denied(let reason): [("event", "denied"), ("reason", .string(reason))]
    case .pushed: [("event", "pushed")]
    }
  }

  fileprivate init?(_ value: Value) {
    switch value["event"]?.stringValue {
    case "verified": self = .verified(leaseSeconds: value["lease"]?.integerValue)
    case "denied": self = .denied(reason: value["reason"]?.stringValue ?? "")
    case "pushed": self = .pushed
    default: return nil
    }
  }
}
