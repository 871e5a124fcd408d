import FetchEngine
import FetchModel
import FetchValues

/// The log of `serve` on standard error, as lines of text or as one JSON object for each line.
///
/// An object has `at`, `level`, `job` (null for a line about no job), `message` and, where they
/// apply, `hook` and `transfer`.
struct DaemonLog: Sendable {
  let asJSON: Bool

  /// A sink that writes the entry of each event. Ended runs have none: see `Event.entry`.
  var events: EventSink {
    EventSink { event in
      if let entry = event.entry { write(entry) }
    }
  }

  func write(_ entry: LogEntry) {
    let text = asJSON ? json(entry) : "fetchrun: " + PlainText.line(entry.line)
    Terminal.current.message(text)
  }

  private func json(_ entry: LogEntry) -> String {
    var line = ValueObject([
      ("at", .string(RunTime.system.now().description)), ("level", .string(entry.level.rawValue)),
      ("job", entry.job.map { .string($0.text) } ?? .null), ("message", .string(entry.text)),
    ])
    if let hook = entry.hook { line.append("hook", .string(hook.text)) }
    if let transfer = entry.transfer { line.append("transfer", .integer(transfer)) }
    return ShownJSON.text((try? JSONWriter.text(.object(line))) ?? "{}")
  }
}
