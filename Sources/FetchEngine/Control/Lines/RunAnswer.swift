package import FetchModel
package import FetchValues

/// An event in the progress of requested runs, as one line for a client that waits.
package enum RunAnswer: Equatable, Sendable {
  /// The job does not run, for example because it is paused.
  case refused(job: String, why: String)
  /// The job does not run, because only due jobs run and it is not due.
  case notDue(job: String, why: String)
  /// The number of runs that the client will wait for.
  case awaited(Int)
  /// A line that a plugin logged in a run. The record of the run follows the log lines.
  case log(job: String, LogLine)
  case ended(RunRecord)
  case notice(job: String, sentence: String)
  /// The job did not run while the client waited. Unless the job was removed, it can run later.
  case notRun(job: String, why: String)
}

extension RunAnswer {
  /// The maximum length of a text, such as a message, in bytes. A longer text is cut to this length
  /// and gets an ellipsis, to keep the line short.
  package static let textBytesMax = 64 << 10

  /// The JSON of the answer: an object with one member. The member has the name of the case, but
  /// for `ended` it is `run`.
  package var value: Value {
    switch self {
    case .refused(let job, let why): ["refused": ["job": .string(job), "why": .short(why)]]
    case .notDue(let job, let why): ["notDue": ["job": .string(job), "why": .short(why)]]
    case .awaited(let count): ["awaited": .integer(Int64(count))]
    case .log(let job, let line):
      [
        "log": [
          "job": .string(job), "level": .string(line.level.rawValue),
          "message": .short(line.message),
        ]
      ]
    case .ended(let record): ["run": record.value]
    case .notice(let job, let sentence):
      ["notice": ["job": .string(job), "sentence": .short(sentence)]]
    case .notRun(let job, let why): ["notRun": ["job": .string(job), "why": .short(why)]]
    }
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid line.
  package init?(_ value: Value) {
    guard let (key, content) = value.objectValue?.members.first.map({ ($0.key, $0.value) }) else {
      return nil
    }
    if key == "awaited", let count = content.integerValue {
      self = .awaited(Int(clamping: max(0, count)))
      return
    }
    if key == "run", let record = RunRecord(content) {
      self = .ended(record)
      return
    }
    guard let job = content["job"]?.stringValue else { return nil }
    let text = (content["why"] ?? content["sentence"] ?? content["message"])?.stringValue ?? ""
    switch key {
    case "refused": self = .refused(job: job, why: text)
    case "notDue": self = .notDue(job: job, why: text)
    case "notice": self = .notice(job: job, sentence: text)
    case "notRun": self = .notRun(job: job, why: text)
    case "log":
      let level = content["level"]?.stringValue.flatMap(LogLine.Level.init) ?? .info
      self = .log(job: job, LogLine(level, text))
    default: return nil
    }
  }
}

extension Value {
  /// Returns the string as a value. A string longer than `RunAnswer.textBytesMax` is cut and ends
  /// with an ellipsis.
  static func short(_ text: String) -> Value {
    guard text.utf8.count > RunAnswer.textBytesMax else { return .string(text) }
    let cut = String(decoding: text.utf8.prefix(RunAnswer.textBytesMax), as: UTF8.self)
    return .string(cut + "…")
  }
}
