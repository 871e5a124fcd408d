package import FetchSchedule
package import FetchValues

/// One job as `fetchrun status` shows it, with times in whole seconds. Other programs read its
/// JSON: keys may be added, never renamed or removed.
package struct StatusLine: Hashable, Sendable {
  package var job: String
  /// A raw value of `JobState`; a later version of fetchrun may send others.
  package var state: String
  /// `newData`, `noData` or `failed`; nil before the first run has ended.
  package var lastOutcome: String?
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?
  /// The next time at which it may run: its due time, or the end of its wait if that is known and
  /// later. Nil if no time will make it run: it is running, paused or disabled, or has no interval.
  package var nextDueAt: Timestamp?
  /// The reason why it does not run now, or since when it runs: a sentence without its full stop.
  package var why: String
  /// The number of failures in a row.
  package var failures: Int
  /// The hostname of its requests; nil for a job that makes none.
  package var lane: String?
  /// The reasons of its due time; empty if it is disabled or has no due time.
  package var dueReasons: [DueReasonLine] = []
  /// The wait of its run; nil if no run is under way, or if it computes.
  package var waiting: WaitLine?
}

extension StatusLine {
  package init(_ number: JobNumber, in scheduler: Scheduler, now: Timestamp) {
    let schedule = scheduler.schedule(of: number)
    let reason = scheduler.waitReason(number, now: now)
    let state = JobState(reason)
    job = scheduler[number].name
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

  /// Returns the line with the wait of the job's run.
  func adding(_ waiting: WaitLine?, now: Timestamp) -> StatusLine {
    guard let waiting else { return self }
    var line = self
    line.waiting = waiting
    line.why += "; " + waiting.clause(now: now)
    return line
  }

  /// Returns the line, with the reason if the job's plugin does not load.
  func standing(_ job: Job?) -> StatusLine {
    guard let failure = job?.plugin.loadFailure else { return self }
    var line = self
    line.lastOutcome = "failed"
    line.why = failure.loadSentence
    return line
  }

  /// Returns the last outcome. Runs that were cancelled, or failed because there was no network, do
  /// not count.
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
    ]
  }

  /// Returns nil if `value` is not such a line.
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
  }
}

extension Timestamp {
  fileprivate var wholeSecond: Timestamp { Timestamp(seconds: seconds) }

  /// Rounded up, so that a wait is never reported as over too early.
  fileprivate var nextWholeSecond: Timestamp {
    Timestamp(seconds: -(-milliseconds).floorDivided(by: 1000))
  }
}
