package import FetchModel
package import FetchSchedule
package import FetchValues

/// One job as `fetchrun status` shows it, with times in whole seconds. Other programs read the
/// JSON, so keys may be added, but never renamed or removed.
package struct StatusLine: Hashable, Sendable {
  package var job: String
  /// The raw value of a `JobState`. A later version of fetchrun may send other values.
  package var state: String
  /// The outcome of the last run: `newData`, `noData` or `failed`; nil if there is none. Cancelled
  /// runs and failures that the network caused do not count. The outcome is also `failed` if the
  /// plugin has a `loadFailure`.
  package var lastOutcome: String?
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?
  /// The next time at which the job may run: its due time, or the known end of its wait if this is
  /// later. Nil if the state is `running`, `paused` or `disabled`, or if the job has no due time.
  package var nextDueAt: Timestamp?
  /// The reason why the job does not run now, or the time since which the job has been running. If
  /// the job's plugin has a `loadFailure`, the text describes that failure. If the job's run waits,
  /// the text also has the reason for the wait. No full stop is added to the text.
  package var why: String
  /// The number of failures in a row.
  package var failures: Int
  /// The hostname whose lane the job's runs use; nil if no hostname is known before a run.
  package var lane: String?
  /// The reasons for the job's due time; empty if the job is disabled or has no due time.
  package var dueReasons: [DueReasonLine] = []
  /// The reason why the job's run waits; nil if no run is under way or the run does not wait.
  package var waiting: WaitLine?
  /// Whether the process that answers has refused to run the job's plugin file, for example because
  /// its permissions wait for approval.
  package var isHeld = false
  /// The time since which the job itself is paused; nil if the job is not paused. A pause of all
  /// jobs does not count.
  package var pausedAt: Timestamp?
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
    pausedAt = schedule.pausedAt?.wholeSecond
  }

  /// Returns the line with the reason why the job's run waits; unchanged if `waiting` is nil.
  func adding(_ waiting: WaitLine?, now: Timestamp) -> StatusLine {
    guard let waiting else { return self }
    var line = self
    line.waiting = waiting
    line.why += "; " + waiting.clause(now: now)
    return line
  }

  /// Returns the line with the `loadFailure` of the job's plugin. Returns the line unchanged if
  /// there is no such failure.
  func standing(_ job: Job?) -> StatusLine {
    guard let failure = job?.plugin.loadFailure else { return self }
    var line = self
    line.lastOutcome = "failed"
    line.why = failure.loadSentence
    return line
  }

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
      "isHeld": .bool(isHeld), "pausedAt": .text(pausedAt?.descriptionInSeconds),
    ]
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid line.
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
    pausedAt = value["pausedAt"]?.timeValue
  }
}

extension Timestamp {
  fileprivate var wholeSecond: Timestamp { Timestamp(seconds: seconds) }

  /// The time rounded up to a whole second, so that a wait never seems to end too early.
  fileprivate var nextWholeSecond: Timestamp {
    Timestamp(seconds: -(-milliseconds).floorDivided(by: 1000))
  }
}

/// The state of a job as one word.
package enum JobState: String, Sendable, CaseIterable {
  case running
  /// The job is due, but waits for its turn, a lane, the budget, the network, the store, AC power
  /// or a lower system load. If fetchrun must be restarted because of the store, jobs that are not
  /// due also wait.
  case waiting
  /// The job is not due yet, must wait for its run times, or was pushed again too soon.
  case scheduled
  /// The job is due later than its interval says, because its last run or runs failed.
  case backOff
  case paused
  case disabled
  /// The job runs only when it is triggered, or only the store has the job.
  case idle

  package init(_ reason: WaitReason) {
    self =
      switch reason {
      case .running: .running
      case .notDue, .outsideRunTimes, .pushLimited: .scheduled
      case .backOff: .backOff
      case .paused, .allPaused: .paused
      case .disabled: .disabled
      case .noInterval, .unlisted: .idle
      case .laneBusy, .laneGap, .laneClosed, .budget, .ownBudget, .offline, .networkDown, .store,
        .acPower, .load, .turn:
        .waiting
      }
  }
}

/// The reason why a job's run waits, and the start of the wait, for JSON and for sentences.
package struct WaitLine: Hashable, Sendable {
  package var wait: RunWait
  package var since: Timestamp
  /// The number of busy workers if the run waits because all workers are busy; otherwise nil.
  package var busyCount: Int?
  package var workersMax = 0
  /// The end of the hostname's cooldown if the run waits to send a request to a closed hostname;
  /// otherwise nil.
  package var closedUntil: Timestamp?

  package init(_ wait: RunWait, since: Timestamp) {
    self.wait = wait
    self.since = since
  }

  /// Returns a clause such as `waiting for an answer from example.org for 8s`.
  package func clause(now: Timestamp) -> String {
    let time = max(.zero, Duration.seconds(now.seconds - since.seconds)).shortText
    return switch wait {
    case .turn: "waiting for the end of another run of the job for \(time)"
    case .worker: "waiting for a worker for \(time) (\(workers))"
    case .lane(let hostname):
      closedUntil.map {
        "waiting for \(time) because \(hostname) gets no requests until"
          + " \($0.nextWholeSecond.descriptionInSeconds)"
      } ?? "waiting for its turn at \(hostname) for \(time)"
    case .answer(let hostname): "waiting for an answer from \(hostname) for \(time)"
    }
  }

  private var workers: String {
    guard let busyCount else { return "the worker is starting" }
    return "\(busyCount) of \(workersMax) \(workersMax == 1 ? "is" : "are") busy"
  }

  /// Returns a sentence for `explain`, with its full stop.
  package func sentence(now: Timestamp) -> String {
    let sentence = "Its run has been \(clause(now: now))"
    guard case .lane = wait else { return sentence + "." }
    let cause =
      closedUntil == nil ? ": other requests come first, or the gap of the lane is not over" : ""
    return sentence + cause
      + ". The waiting time does not count against the run's window, up to the run's limit"
      + " `waiting`."
  }
}

extension WaitLine {
  package var value: Value {
    [
      "for": .string(word), "hostname": .text(hostname),
      "since": .string(since.descriptionInSeconds),
    ]
  }

  /// Reads a wait from JSON; returns nil if `value` is not a valid wait or has an unknown kind.
  package init?(_ value: Value?) {
    guard let value, let since = value["since"]?.timeValue else { return nil }
    let hostname = value["hostname"]?.stringValue
    switch (value["for"]?.stringValue, hostname) {
    case ("turn", _): self.init(.turn, since: since)
    case ("worker", _): self.init(.worker, since: since)
    case ("lane", let hostname?): self.init(.lane(hostname), since: since)
    case ("answer", let hostname?): self.init(.answer(hostname), since: since)
    default: return nil
    }
  }

  private var word: String {
    switch wait {
    case .turn: "turn"
    case .worker: "worker"
    case .lane: "lane"
    case .answer: "answer"
    }
  }

  private var hostname: String? {
    switch wait {
    case .turn, .worker: nil
    case .lane(let hostname), .answer(let hostname): hostname
    }
  }
}
