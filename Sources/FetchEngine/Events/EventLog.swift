import FetchModel
import FetchValues
package import Logging

/// A subscriber that writes events to a logger of swift-log. The metadata names the subject: `job`,
/// `hook`, `transfer` and, for an ended run, `run`, `outcome` and `trigger`.
///
/// An ended run is logged at level `debug`, since the stored record of the run contains more facts.
package struct EventLog: Sendable {
  private let logger: Logger

  package init(_ logger: Logger) { self.logger = logger }

  package var sink: EventSink { EventSink { note($0) } }

  package func note(_ event: Event) {
    if case .runEnded(let report) = event { return note(report.record) }
    guard let entry = event.entry else { return }
    logger.log(level: entry.level.ofLogger, "\(entry.text)", metadata: entry.metadata)
  }

  private func note(_ record: RunRecord) {
    logger.debug(
      "run ended",
      metadata: [
        "run": "\(record.run)", "job": "\(record.job)", "outcome": "\(record.outcome.word)",
        "trigger": "\(record.trigger.rawValue)",
      ])
  }
}

extension LogEntry {
  fileprivate var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = [:]
    if let job { metadata["job"] = "\(job)" }
    if let hook { metadata["hook"] = "\(hook)" }
    if let transfer { metadata["transfer"] = "\(transfer)" }
    return metadata
  }

  /// Creates the entry again from the level, message and metadata that `EventLog` wrote.
  package init(_ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata) {
    self.init(
      message.description, LogLine.Level(level), job: metadata["job"].map { JobName("\($0)") },
      hook: metadata["hook"].map { HookName("\($0)") },
      transfer: metadata["transfer"].flatMap { Int64("\($0)") })
  }
}

extension LogLine.Level {
  fileprivate var ofLogger: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }

  fileprivate init(_ level: Logger.Level) {
    switch level {
    case .trace, .debug: self = .debug
    case .info, .notice: self = .info
    case .warning: self = .warning
    case .error, .critical: self = .error
    }
  }
}
