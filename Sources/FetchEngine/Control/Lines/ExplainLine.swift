import FetchModel
package import FetchSchedule
import FetchStore
package import FetchValues

/// A sentence about a job, or a few sentences, with full stops.
package struct ExplainLine: Hashable, Sendable {
  package var job: String
  package var sentence: String
  /// The reasons for the job's due time, in the line of the first sentence; nil in other lines.
  package var dueReasons: [DueReasonLine]?
  /// The reason why the job's run waits, in the line of the sentence about the wait; nil in other
  /// lines.
  package var waiting: WaitLine?
  /// The gates of the job's next run, in the line of the first sentence; nil in other lines.
  package var gates: [GateLine]?

  package init(job: String, sentence: String) {
    self.job = job
    self.sentence = sentence
  }

  /// Returns the scheduler's sentences about the present state of a job.
  package static func all(
    _ number: JobNumber, in scheduler: Scheduler, now: Timestamp, lastRunAt: Timestamp? = nil
  ) -> [ExplainLine] {
    var lines = scheduler.explain(number, now: now, lastRunAt: lastRunAt).map {
      ExplainLine(job: scheduler[number].name.text, sentence: $0)
    }
    if !lines.isEmpty {
      lines[0].dueReasons = DueReasonLine.all(number, in: scheduler)
      lines[0].gates = scheduler.gates(of: number, now: now).map { GateLine($0, now: now) }
    }
    return lines
  }

  /// Returns a line with the failure to load the job's plugin; an empty list without such a
  /// failure.
  static func loading(_ job: Job?) -> [ExplainLine] {
    guard let job, let failure = job.plugin.loadFailure else { return [] }
    let sentence = failure.loadSentence
    return [
      ExplainLine(
        job: job.name.text,
        sentence: sentence.prefix(1).uppercased() + sentence.dropFirst()
          + ". It fails until this is corrected; a daemon retries when the file changes.")
    ]
  }

  package var value: Value {
    var members = ValueObject([("job", .string(job)), ("sentence", .string(sentence))])
    if let waiting { members.append("waiting", waiting.value) }
    if let dueReasons { members.append("dueReasons", .array(dueReasons.map(\.value))) }
    if let gates { members.append("gates", .array(gates.map(\.value))) }
    return .object(members)
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid line.
  package init?(_ value: Value) {
    guard let job = value["job"]?.stringValue, let sentence = value["sentence"]?.stringValue else {
      return nil
    }
    self.init(job: job, sentence: sentence)
    dueReasons = DueReasonLine.read(value["dueReasons"])
    waiting = WaitLine(value["waiting"])
    gates = value["gates"]?.arrayValue?.compactMap(GateLine.init)
  }
}

/// One reason for a job's due time, as in JSON: the time in whole seconds, and the reason's word.
package struct DueReasonLine: Hashable, Sendable {
  package var at: Timestamp
  /// The word for the reason, a case of `DueReason`. A later version of fetchrun may send other
  /// words.
  package var reason: String

  /// Returns the reasons for a job's due time; empty if the job is disabled or has no due time.
  static func all(_ number: JobNumber, in scheduler: Scheduler) -> [DueReasonLine] {
    guard scheduler[number].isEnabled else { return [] }
    return scheduler.schedule(of: number).dueTime?.reasons.map { link in
      // The time is rounded up, like `StatusLine.nextDueAt`.
      let at = Timestamp(seconds: -(-link.at.milliseconds).floorDivided(by: 1000))
      return DueReasonLine(at: at, reason: link.reason.word)
    } ?? []
  }

  /// Reads the reasons from JSON; returns nil if `value` is not a list. Skips entries that cannot
  /// be read.
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

/// A gate that each run of a job must pass, and whether the gate is open.
package struct GateLine: Hashable, Sendable {
  /// The word for the gate: a case of `Gate.Kind`, `grant`, or a word of a later version of
  /// fetchrun.
  package var gate: String
  package var isOpen: Bool
  /// The reason why the gate is closed; nil if the gate is open. The reason has no full stop.
  package var why: String?

  package init(_ gate: String, why: String?) {
    self.gate = gate
    isOpen = why == nil
    self.why = why
  }

  init(_ gate: Gate, now: Timestamp) {
    self.init(gate.kind.rawValue, why: gate.sentence(now: now))
  }

  /// The word for the grant gate. This gate is closed while the job's plugin file may not run, for
  /// example because the file waits for approval.
  package static let grant = "grant"

  package var value: Value {
    ["gate": .string(gate), "isOpen": .bool(isOpen), "why": .text(why)]
  }

  /// Reads a gate from JSON; returns nil if `value` is not a valid gate.
  package init?(_ value: Value) {
    guard let gate = value["gate"]?.stringValue, let isOpen = value["isOpen"]?.boolValue else {
      return nil
    }
    self.gate = gate
    self.isOpen = isOpen
    why = value["why"]?.stringValue
  }
}

extension ReadableStore {
  /// Inserts the beginning of the message of the last run's failure before the first semicolon, as
  /// in `failed once (404 Not Found); next try …`. Returns the sentence unchanged if it has no
  /// semicolon, or if no failure of the last run is found.
  func naming(lastFailureOf job: JobName, in sentence: String) async -> String {
    guard let end = sentence.firstIndex(of: ";"),
      let failure = try? await runs(job: job, limit: 1).first?.outcome.failure
    else { return sentence }
    let text = failure.message.prefix { $0 != "\n" }
    let shown =
      text.count > failureCharactersMax
      ? text.prefix(failureCharactersMax) + "…" : text
    return sentence[..<end] + " (\(shown))" + sentence[end...]
  }

  /// Returns sentences about the past of a job. If the last run failed, the first sentence is about
  /// this failure. The other sentences are about the last few times that the job was skipped,
  /// newest first. If `isHeld` is true, a failure because of permissions is omitted, since another
  /// sentence reports it.
  func history(of job: JobName, isHeld: Bool) async -> [String] {
    var sentences: [String] = []
    if let last = try? await runs(job: job, limit: 1).first, let failure = last.outcome.failure,
      !(isHeld && failure.code == .permission)
    {
      let text = failure.message.prefix { $0 != "\n" }
      sentences.append(
        "Its last run, at \(last.startedAt.descriptionInSeconds), failed (\(failure.code.rawValue)): \(text)."
      )
    }
    let skips = (try? await skips(job: job, limit: skipsMax)) ?? []
    for skip in skips {
      let sentence = "Skipped at \(skip.at.descriptionInSeconds): \(skip.reason)."
      // Several requests within a second may be skipped for the same reason.
      if sentence != sentences.last { sentences.append(sentence) }
    }
    return sentences
  }
}

private let skipsMax = 3
/// The maximum length of the message that `naming` inserts, in characters. A table shows the
/// message.
private let failureCharactersMax = 100
