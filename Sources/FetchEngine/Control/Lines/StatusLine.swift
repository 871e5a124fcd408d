package import FetchSchedule
package import FetchValues

/// One job as `fetchrun status` shows it, with times in whole seconds. Other programs read the
/// JSON, so keys may be added, but never renamed or removed.
package struct StatusLine: Hashable, Sendable {
  package var job: String
  /// The raw value of a `JobState`. A later version of fetchrun may send other values.
  package var state: String
  /// The outcome of the last run: `newData`, `noData` or `failed`; nil before the first run has
  /// ended.
  package var lastOutcome: String?
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?
  /// The next time at which the job may run: its due time, or the end of its wait if the end is
  /// known and later. Nil if the job is running, paused or disabled, or has no interval.
  package var nextDueAt: Timestamp?
  /// The reason why the job does not run now, or the time since which the job has been running. It
  /// is a sentence without a full stop.
  package var why: String
  /// The number of failures in a row.
  package var failures: Int
  /// The hostname of the job's requests; nil for a job that makes no requests.
  package var lane: String?
  /// The reasons for the job's due time; empty if the job is disabled or has no due time.
  package var dueReasons: [DueReasonLine] = []
  /// The wait of the job's run. Nil if no run is under way, or if the run computes.
  package var waiting: WaitLine?
  /// Whether the job's file requests permissions that wait for the user's approval.
  package var isHeld = false
}

extension StatusLine {
  package init(_ number: JobNumber, in scheduler: Scheduler, now: Timestamp) {
    let schedule = scheduler.schedule(of: number)
    let reason = scheduler.waitReason(number, now: now)
    let state = JobState(reason)
    job = scheduler[number].name.text
    self.state = state.rawValue
    lastOutcome = Self.outcome(schedule)
    lastSuccessAt = schedule.lastSuccessAt?.wholeSecond
    lastNewDataAt = schedule.lastNewDataAt?.wholeSecond
    let next = schedule.dueAt.map { max($0, reason.until ?? $0) }
    nextDueAt = [.running, .paused, .disabled].contains(state) ? nil : next?.nextWholeSecond
    why = reason.sentence(now: now)
    failures = schedule.failureCount
    lane = scheduler[number].hostname
    dueReasons = DueReasonLine.all(number, in: scheduler)
  }

  /// Returns the line with what the job's run waits for.
  func adding(_ waiting: WaitLine?, now: Timestamp) -> StatusLine {
    guard let waiting else { return self }
    var line = self
    line.waiting = waiting
    line.why += "; " + waiting.clause(now: now)
    return line
  }

  /// Returns the line. If the job's plugin does not load, the line contains the reason.
  func standing(_ job: Job?) -> StatusLine {
    guard let failure = job?.plugin.loadFailure else { return self }
    var line = self
    line.lastOutcome = "failed"
    line.why = failure.loadSentence
    return line
  }

  /// Returns the outcome of the last run. Ignores runs that were cancelled, and runs that failed
  /// because there was no network.
  private static func outcome(_ schedule: JobSchedule) -> String? {
    if schedule.failureCount > 0 { return "failed" }
    guard let last = schedule.lastSuccessAt else { return nil }
    return schedule.lastNewDataAt == last ? "newData" : "noData"
  }
}

extension StatusLine {
  package var value: Value {
    [
      "job": .string(job), "state": .string(state), "lastOutcome": .text(lastOutcome),
      "lastSuccessAt": .text(lastSuccessAt?.descriptionInSeconds),
      "lastNewDataAt": .text(lastNewDataAt?.descriptionInSeconds),
      "nextDueAt": .text(nextDueAt?.descriptionInSeconds), "why": .string(why),
      "failures": .integer(Int64(failures)), "lane": .text(lane),
      "dueReasons": .array(dueReasons.map(\.value)), "waiting": waiting?.value ?? .null,
      "isHeld": .bool(isHeld),
    ]
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid one.
  package init?(_ value: Value) {
    guard let job = value["job"]?.stringValue, let state = value["state"]?.stringValue else {
      return nil
    }
    self.job = job
    self.state = state
    lastOutcome = value["lastOutcome"]?.stringValue
    lastSuccessAt = value["lastSuccessAt"]?.timeValue
    lastNewDataAt = value["lastNewDataAt"]?.timeValue
    nextDueAt = value["nextDueAt"]?.timeValue
    why = value["why"]?.stringValue ?? ""
    failures = value["failures"]?.integerValue.flatMap { Int(exactly: $0) } ?? 0
    lane = value["lane"]?.stringValue
    dueReasons = DueReasonLine.read(value["dueReasons"]) ?? []
    waiting = WaitLine(value["waiting"])
    isHeld = value["isHeld"]?.boolValue ?? false
  }
}

extension Timestamp {
  fileprivate var wholeSecond: Timestamp { Timestamp(seconds: seconds) }

  /// The time rounded up to a whole second, so that a wait never seems to end too early.
  fileprivate var nextWholeSecond: Timestamp {
    Timestamp(seconds: -(-milliseconds).floorDivided(by: 1000))
  }
}
