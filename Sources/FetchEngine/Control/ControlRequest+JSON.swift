import FetchModel
import FetchValues

/// One line of JSON: `{"verb":"push","jobs":["reuters"]}`, for `run` with `"now":true` and
/// `"wait":true`; `{"verb":"transfers","cancel":[7]}`, or `"retry"`;
/// `{"verb":"deliveries","retry":[7]}`, or `"drop"`;
/// `{"verb":"grant","jobs":["reuters"],"plugin":…,"name":…,"hash":…,"asks":[…],"at":…}`, with
/// `"hook":"phone"` in place of the jobs for a hook.
/// Without `jobs` the request is about all jobs. Other keys are ignored.
extension ControlRequest {
  /// The maximum length of a line with its end, enough for some thousand names of jobs.
  package static let bytesMax = 64 << 10
  private static let depthMax = 4

  /// Returns the line with its end; throws if it is too long.
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
          "a daemon has this store, and the options are too long to hand to it; use another store:"
            + " --store try.sqlite")
      }
      throw ControlError(.badRequest, "too many jobs for one request; name fewer, or all")
    }
    return bytes
  }

  private var value: Value {
    var object = ValueObject([("verb", .string(verb.rawValue))])
    if let jobs { object.append("jobs", .array(jobs.map(Value.string))) }
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
    if case .guest(let request) = self {
      for (key, value) in request.members { object.append(key, value) }
    }
    if case .grant(let holder, let grant, let manifestName) = self {
      if case .hook(let name) = holder { object.append("hook", .string(name)) }
      object.append("plugin", .string(grant.plugin))
      object.append("name", .string(manifestName))
      object.append("hash", .string(Hexadecimal.text(of: grant.hash)))
      object.append("asks", grant.granted.value)
      object.append("at", .integer(grant.grantedAt.milliseconds))
    }
    return .object(object)
  }

  private var jobs: [String]? {
    switch self {
    case .status(let job): job.map { [$0] }
    case .explain(let job), .grant(.job(let job), _, _): [job]
    case .push(let jobs): jobs
    case .run(.named(let jobs), _, _), .pause(.named(let jobs)), .resume(.named(let jobs)): jobs
    default: nil
    }
  }

  /// Reads any bytes; throws an error with a sentence if they are not a request.
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

  private init(_ verb: Verb, jobs: [String]?, _ value: Value) throws(ControlError) {
    let selection = jobs.map(JobSelection.named) ?? .all
    switch verb {
    case .status: self = .status(job: try Self.atMostOne(jobs))
    case .explain:
      guard let job = try Self.atMostOne(jobs) else { throw Self.problem("names no job") }
      self = .explain(job: job)
    case .push:
      guard let jobs else { throw Self.problem("names no job") }
      self = .push(jobs: jobs)
    case .run:
      self = .run(
        selection, skipsInterval: value["now"]?.boolValue ?? false,
        waits: value["wait"]?.boolValue ?? false)
    case .guest:
      guard let job = try Self.atMostOne(jobs), let request = GuestRequest(job: job, value) else {
        throw Self.problem("does not say which plugin is to run")
      }
      self = .guest(request)
    case .pause: self = .pause(selection)
    case .resume: self = .resume(selection)
    case .budget: self = .budget
    case .reload: self = .reload
    case .grant:
      guard
        let holder = try Self.atMostOne(jobs).map(GrantHolder.job)
          ?? value["hook"]?.stringValue.map(GrantHolder.hook)
      else { throw Self.problem("names no job and no hook") }
      guard let name = value["name"]?.stringValue, let grant = Self.grant(value) else {
        throw Self.problem("does not say what is granted")
      }
      self = .grant(of: holder, grant, manifestName: name)
    case .transfers:
      guard let deed = TransferCommand.allCases.first(where: { value[$0.rawValue] != nil }) else {
        throw Self.problem("has neither cancel nor retry")
      }
      self = .transfers(deed, ids: try Self.ids(value[deed.rawValue], of: "transfers"))
    case .deliveries:
      guard let deed = DeliveryAction.allCases.first(where: { value[$0.rawValue] != nil }) else {
        throw Self.problem("has neither retry nor drop")
      }
      self = .deliveries(deed, ids: try Self.ids(value[deed.rawValue], of: "deliveries"))
    }
  }

  private static func ids(_ value: Value?, of what: String) throws(ControlError) -> [Int64] {
    let listed = value?.arrayValue ?? []
    let ids = listed.compactMap(\.integerValue)
    guard !ids.isEmpty, ids.count == listed.count else { throw problem("has no ids of \(what)") }
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

  /// Returns nil if there are none; an empty list is an error, since it must not mean all.
  private static func jobs(_ value: Value?) throws(ControlError) -> [String]? {
    guard let value, !value.isNull else { return nil }
    guard case .array(let elements) = value, !elements.isEmpty else {
      throw problem("has jobs that are not a list of names")
    }
    let names = elements.compactMap(\.stringValue)
    guard names.count == elements.count else { throw problem("has jobs that are not names") }
    return names
  }

  private static func atMostOne(_ jobs: [String]?) throws(ControlError) -> String? {
    guard (jobs?.count ?? 0) <= 1 else { throw problem("names more than one job") }
    return jobs?.first
  }

  private static func problem(_ problem: String) -> ControlError {
    ControlError(.badRequest, "the request \(problem)")
  }
}
