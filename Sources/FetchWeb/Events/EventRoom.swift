package import FetchValues

/// The clients of the hub, and the news for them. This type decides who is admitted, which status
/// lines are needed, and whether clients must be woken; `EventHub` carries out the decisions.
package struct EventRoom: Sendable {
  /// The reason why a stream is refused.
  package enum Refusal: Error, Equatable, Sendable {
    case full, callerIsFull
  }

  private struct Guest: Sendable {
    var kind: Caller.Kind
    var selection: EventSelection
  }

  package private(set) var news = EventNews()
  package private(set) var states = EventStates()
  private var guests: [Int: Guest] = [:]
  private var lastNumber = 0
  private var marks: EventMarks?
  /// Whether the status lines must be read.
  package private(set) var statesAreOld = false

  package init() {}

  package var isEmpty: Bool { guests.isEmpty }
  package var count: Int { guests.count }

  /// Admits a client and returns the client's number. Throws if there are too many clients, or too
  /// many clients of the same caller. The second limit does not apply to local callers: see
  /// `Caller.Kind.local`.
  package mutating func enter(
    _ kind: Caller.Kind, _ selection: EventSelection
  ) throws(Refusal) -> Int {
    guard guests.count < WebLimits.streamsMax else { throw .full }
    let own = guests.values.count { $0.kind == kind }
    guard kind == .local || own < WebLimits.streamsPerCallerMax else { throw .callerIsFull }
    lastNumber += 1
    guests[lastNumber] = Guest(kind: kind, selection: selection)
    if selection.kinds.contains(.state) { statesAreOld = true }
    return lastNumber
  }

  package mutating func leave(_ number: Int) {
    guests[number] = nil
    guard guests.isEmpty else { return }
    // The lines are kept only while at least one client listens.
    states = EventStates()
    news.states = 0
    marks = nil
    statesAreOld = false
  }

  /// Records a notification of the daemon. Returns whether the clients must be woken.
  package mutating func notify(_ new: EventMarks) -> Bool {
    defer { marks = new }
    if marks?.states != new.states { statesAreOld = true }
    guard marks?.end != new.end else { return false }
    news.log += 1
    return true
  }

  /// Records that the store has changed. Without a daemon, it is unknown what has changed.
  package mutating func storeChanged() {
    marks = nil
    news.log += 1
  }

  package mutating func beat() { news.beats += 1 }

  /// The jobs whose status lines the clients follow; an empty list for all jobs. Nil if no client
  /// follows status lines.
  package var followedJobs: [JobName]? {
    let wanted = guests.sorted { $0.key < $1.key }.map(\.value.selection)
      .filter { $0.kinds.contains(.state) }
    if wanted.isEmpty { return nil }
    var jobs: [JobName] = []
    for selection in wanted {
      guard let job = selection.job else { return [] }
      if !jobs.contains(job) { jobs.append(job) }
    }
    return jobs
  }

  /// Returns whether status lines must be read now. If so, the caller must read the lines, because
  /// this function marks them as read.
  package mutating func takesStates() -> Bool {
    defer { statesAreOld = false }
    return statesAreOld && followedJobs != nil
  }

  /// Records that the status lines could not be read, so that they are read again.
  package mutating func statesFailed() { statesAreOld = true }

  /// Stores status lines. Returns whether the clients must be woken.
  package mutating func update(_ lines: [Value], isWhole: Bool) -> Bool {
    guard states.update(lines, isWhole: isWhole) else { return false }
    news.states = states.version
    return true
  }
}
