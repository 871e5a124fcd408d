package import FetchSchedule
package import FetchValues

/// The answer for one job to a client's request to run or push jobs.
package struct TriggerLine: Hashable, Sendable {
  package enum Answer: String, Sendable, CaseIterable { case due, waits, skipped }

  package var job: String
  package var answer: Answer
  /// The reason why the job waits or was skipped, without a full stop; nil if the job is due.
  package var why: String?

  package init(job: String, _ answer: TriggerAnswer, now: Timestamp) {
    self.job = job
    switch answer {
    case .due: self.answer = .due
    case .waits(let reason): (self.answer, why) = (.waits, reason.sentence(now: now))
    case .skipped(let reason): (self.answer, why) = (.skipped, reason.sentence)
    }
  }

  package var value: Value {
    ["job": .string(job), "answer": .string(answer.rawValue), "why": .text(why)]
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid line.
  package init?(_ value: Value) {
    guard let job = value["job"]?.stringValue,
      let answer = value["answer"]?.stringValue.flatMap(Answer.init)
    else { return nil }
    self.job = job
    self.answer = answer
    why = value["why"]?.stringValue
  }
}
