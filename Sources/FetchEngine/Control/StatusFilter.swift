import FetchValues

/// A selection of status lines. If a filter is set, the selected lines are ordered by job name.
package struct StatusFilter: Hashable, Sendable {
  /// The states of the selected jobs; all states if the list is empty.
  package var states: [JobState] = []
  /// A string in the job's name, or a pattern with `*`: see `NamePattern.containing`. Nil selects
  /// all names.
  package var match: String?
  /// Whether only jobs are selected whose last run failed or whose plugin does not load.
  package var isFailing = false
  /// The selection begins after this job name, in order of names. A job with this name need not
  /// exist.
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
  /// an ignored member would select all jobs.
  init(_ value: Value) throws(ControlError) {
    switch value["state"] {
    case nil, .null: break
    case .string(let word): states = [try Self.state(word)]
    case .array(let words):
      for word in words { states.append(try Self.state(word.stringValue ?? "")) }
    default: throw ControlError(.badRequest, "the request has a state that is not a string")
    }
    match = value["match"]?.stringValue
    isFailing = value["failing"]?.boolValue ?? false
    after = value["after"]?.stringValue
    guard let number = value["limit"], !number.isNull else { return }
    guard let limit = number.integerValue, (1...Int64(Self.limitMax)).contains(limit) else {
      throw ControlError(
        .badRequest, "the request has an invalid limit: use 1 to \(Self.limitMax)")
    }
    self.limit = Int(limit)
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
