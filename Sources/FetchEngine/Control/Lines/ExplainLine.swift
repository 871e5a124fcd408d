package import FetchSchedule
package import FetchValues

/// One sentence about a job, with its full stop.
package struct ExplainLine: Hashable, Sendable {
  package var job: String
  package var sentence: String
  /// The reasons of the job's due time, with its first sentence; nil on other lines.
  package var dueReasons: [DueReasonLine]?
  /// The wait of the job's run, with its sentence; nil on other lines.
  package var waiting: WaitLine?

  package init(job: String, sentence: String) {
    self.job = job
    self.sentence = sentence
  }

  /// Returns all sentences about a job now.
  package static func all(
    _ number: JobNumber, in scheduler: Scheduler, now: Timestamp
  ) -> [ExplainLine] {
    var lines = scheduler.explain(number, now: now).map {
      ExplainLine(job: scheduler[number].name, sentence: $0)
    }
    if !lines.isEmpty { lines[0].dueReasons = DueReasonLine.all(number, in: scheduler) }
    return lines
  }

  /// Returns the sentences about a job whose plugin does not load; empty for other jobs.
  static func loading(_ job: Job?) -> [ExplainLine] {
    guard let job, let failure = job.plugin.loadFailure else { return [] }
    let sentence = failure.loadSentence
    return [
      ExplainLine(
        job: job.name,
        sentence: sentence.prefix(1).uppercased() + sentence.dropFirst()
          + ". It fails until the file loads; a daemon retries when the file changes.")
    ]
  }

  package var value: Value {
    var members = ValueObject([("job", .string(job)), ("sentence", .string(sentence))])
    if let waiting { members.append("waiting", waiting.value) }
    if let dueReasons { members.append("dueReasons", .array(dueReasons.map(\.value))) }
    return .object(members)
  }

  /// Returns nil if `value` is not such a line.
  package init?(_ value: Value) {
    guard let job = value["job"]?.stringValue, let sentence = value["sentence"]?.stringValue else {
      return nil
    }
    self.init(job: job, sentence: sentence)
    dueReasons = DueReasonLine.read(value["dueReasons"])
    waiting = WaitLine(value["waiting"])
  }
}

/// One reason of a job's due time, as JSON shows it: the time in whole seconds and a word.
package struct DueReasonLine: Hashable, Sendable {
  package var at: Timestamp
  /// A word of `DueReason`, or of a later version.
  package var reason: String

  /// Returns the reasons of a job's due time in order; empty if it is disabled or has no due time.
  static func all(_ number: JobNumber, in scheduler: Scheduler) -> [DueReasonLine] {
    guard scheduler[number].isEnabled else { return [] }
    return scheduler.schedule(of: number).dueTime?.reasons.map { link in
      // Rounded up, as `nextDueAt` is.
      let at = Timestamp(seconds: -(-link.at.milliseconds).floorDivided(by: 1000))
      return DueReasonLine(at: at, reason: link.reason.word)
    } ?? []
  }

  /// Returns nil if `value` is not a list; skips entries that cannot be read.
  static func read(_ value: Value?) -> [DueReasonLine]? {
    guard case .array(let entries)? = value else { return nil }
    return entries.compactMap { entry in
      guard let at = entry["at"]?.timeValue, let reason = entry["reason"]?.stringValue else {
        return nil
      }
      return DueReasonLine(at: at, reason: reason)
    }
  }

  var value: Value {
    ["at": .string(at.descriptionInSeconds), "reason": .string(reason)]
  }
}
