import FetchModel
import FetchValues

/// The JSON of a run's record for a client that waits for the run. Unlike `RunRecord.json`, it has
/// times and durations as whole numbers, and the traceback of a failure.
extension RunRecord {
  private static let framesMax = 64

  var value: Value {
    guard let note, var object = storedValue.objectValue else { return storedValue }
    object.append("note", .short(note))
    return .object(object)
  }

  /// The JSON object of the record, without the record's note.
  private var storedValue: Value {
    let counts = counts
    return [
      "run": .string(run.description), "job": .string(job.text), "plugin": .string(plugin.text),
      "trigger": .string(trigger.rawValue), "outcome": .string(outcome.word),
      "reason": .text(outcome.reason?.rawValue), "added": .integer(Int64(counts.added)),
      "updated": .integer(Int64(counts.updated)), "removed": .integer(Int64(counts.removed)),
      "startedAt": .integer(startedAt.milliseconds),
      "durationMicroseconds": .integer(duration.wholeMicroseconds),
      "cpuMicroseconds": .integer(cpu.wholeMicroseconds),
      "requests": .integer(Int64(requestCount)), "receivedBytes": .integer(Int64(receivedBytes)),
      "failure": outcome.failure.map(Self.value) ?? .null,
      "nextDueAt": nextDueAt.map { .integer($0.milliseconds) } ?? .null,
    ]
  }

  private static func value(_ failure: Failure) -> Value {
    // The frames of the traceback together have at most `textBytesMax` bytes.
    var room = RunAnswer.textBytesMax
    let frames = failure.traceback.prefix(framesMax).prefix { frame in
      room -= frame.utf8.count
      return room > 0
    }
    return [
      "code": .string(failure.code.rawValue), "message": .short(failure.message),
      "retryable": .bool(failure.retryable), "file": .text(failure.file),
      "line": failure.line.map { .integer(Int64($0)) } ?? .null,
      "traceback": .array(frames.map(Value.string)),
    ]
  }

  /// Reads a record from JSON. Returns nil if the run, job, plugin, outcome or start is missing or
  /// invalid. Clamps times, durations and counts, so that sums cannot overflow.
  init?(_ value: Value) {
    guard let run = value["run"]?.stringValue.flatMap(RunID.init),
      let job = value["job"]?.stringValue, let plugin = value["plugin"]?.stringValue,
      let outcome = Self.outcome(value), let startedAt = value["startedAt"]?.boundedTime
    else { return nil }
    let trigger = value["trigger"]?.stringValue.flatMap(RunTrigger.init) ?? .manual
    self.init(
      run: run, job: JobName(job), plugin: PluginName(plugin), trigger: trigger,
      outcome: outcome, startedAt: startedAt)
    duration = .microseconds(value.count("durationMicroseconds"))
    cpu = .microseconds(value.count("cpuMicroseconds"))
    requestCount = value.count("requests")
    receivedBytes = value.count("receivedBytes")
    nextDueAt = value["nextDueAt"]?.boundedTime
    note = value["note"]?.stringValue
    if outcome.failure != nil { checkpointed = Self.counts(value) }
  }

  private static func counts(_ value: Value) -> ChangeCounts {
    ChangeCounts(
      added: value.count("added"), updated: value.count("updated"),
      removed: value.count("removed"))
  }

  private static func outcome(_ value: Value) -> Outcome? {
    switch value["outcome"]?.stringValue {
    case "newData":
      .newData(counts(value))
    case "noData": .noData(value["reason"]?.stringValue.flatMap(NoDataReason.init) ?? .sameItems)
    case "failed": .failed(failure(value["failure"] ?? .null))
    default: nil
    }
  }

  private static func failure(_ value: Value) -> Failure {
    Failure(
      value["code"]?.stringValue.flatMap(FailureCode.init) ?? .internalError,
      value["message"]?.stringValue ?? "", retryable: value["retryable"]?.boolValue ?? false,
      file: value["file"]?.stringValue,
      line: value["line"]?.integerValue.flatMap { Int(exactly: $0) },
      traceback: value["traceback"]?.arrayValue?.compactMap(\.stringValue) ?? [])
  }
}

extension Value {
  /// Returns the member as a number of at least 0 and at most 2^52, so that sums cannot overflow.
  /// Returns 0 if the member is missing or is not a whole number.
  fileprivate func count(_ key: String) -> Int {
    Int(max(0, min(self[key]?.integerValue ?? 0, 1 << 52)))
  }

  /// The value as a time, clamped to about 95,000 years before or after 1970; nil if the value is
  /// not a whole number.
  fileprivate var boundedTime: Timestamp? {
    integerValue.map {
      Timestamp(milliseconds: max(-3_000_000_000_000_000, min($0, 3_000_000_000_000_000)))
    }
  }
}
