package import FetchModel
package import FetchSchedule
package import FetchValues

/// One simulated run of a job, in the simulation of a config.
package struct SimulatedRun: Equatable, Sendable {
  package var job: JobName
  package var startedAt: Timestamp
  package var dueAt: Timestamp
  /// The reason why the run was due.
  package var reason: DueReason
  /// The time from the due time to the start. A due time before the simulated period counts as the
  /// beginning of the period. `waitedFor` is the obstacle that lasted longest in this time.
  package var waited: Duration
  package var waitedFor: WaitReason?
  package var outcome: Outcome
  package var requestCount: Int
  /// The job's next due time. Nil if the job is paused, or if only a trigger makes the job run.
  package var nextDueAt: Timestamp?
  package var nextReason: DueReason
  package var notices: [Notice] = []
}

/// The runs of a simulation as lines of text. The lines are returned in blocks.
package struct TimetableLines {
  private let asJSON: Bool
  /// The width of the column with the jobs' names, in characters.
  private let nameWidth: Int
  private var block = ""

  private static let blockBytesMax = 1 << 16
  private static let nameWidthMax = 32

  package init(asJSON: Bool, jobs: [JobName]) {
    self.asJSON = asJSON
    nameWidth = min(jobs.map(\.text.count).max() ?? 0, Self.nameWidthMax)
  }

  /// Adds a line. If the lines then have at least `blockBytesMax` bytes, removes and returns all
  /// lines, without the final line break. Otherwise returns nil.
  package mutating func add(_ run: SimulatedRun) -> String? {
    if !block.isEmpty { block += "\n" }
    block += asJSON ? run.json : run.text(nameWidth: nameWidth)
    return block.utf8.count >= Self.blockBytesMax ? rest : nil
  }

  /// The remaining lines, without the final line break; nil if there are none. Reading this
  /// property removes the lines.
  package var rest: String? {
    mutating get {
      defer { block = "" }
      return block.isEmpty ? nil : block
    }
  }
}

extension SimulatedRun {
  /// Returns a line such as `2026-11-20T10:00:00Z  news  noData   by its interval, next
  /// 2026-11-20T10:15:00Z`.
  func text(nameWidth: Int) -> String {
    let padding = String(repeating: " ", count: max(0, nameWidth - job.text.count))
    let word = outcome.word + String(repeating: " ", count: 7 - outcome.word.count)
    var text = "\(startedAt.descriptionInSeconds)  \(job)\(padding)  \(word)  \(reason.phrase)"
    if case .failed(let failure) = outcome { text += ", \(failure.message)" }
    if waited >= Self.waitTold {
      text += ", waited \(waited.inSeconds.shortText)"
      if let cause = waitedFor?.pastPhrase { text += " \(cause)" }
    }
    return text + (nextDueAt.map { ", next \($0.descriptionInSeconds)" } ?? ", no next due time")
  }

  /// The minimum wait that a line shows. Shorter waits are normal in lanes.
  private static let waitTold: Duration = .seconds(1)

  /// The run as one compact JSON object. Keys may be added, never renamed, moved or removed.
  package var json: String {
    let failure = outcome.failure?.message
    return """
      {"startedAt":"\(startedAt)","job":\(quoted(job.text)),"outcome":"\(outcome.word)",\
      "added":\(outcome.counts.added),"failure":\(quoted(failure)),\
      "dueAt":"\(dueAt)","why":\(quoted(reason.phrase)),\
      "waitedSeconds":\(waited.decimalSeconds(fractionDigits: 3)),\
      "waitedFor":\(quoted(waitedFor?.sentence(now: dueAt))),\
      "requests":\(requestCount),"nextDueAt":\(quoted(nextDueAt?.description))}
      """
  }

  private func quoted(_ text: String?) -> String {
    guard let text else { return "null" }
    return (try? JSONWriter.text(.string(text))) ?? "null"
  }
}

extension Duration {
  /// The duration rounded down to whole seconds.
  var inSeconds: Duration { .seconds(components.seconds) }
}
