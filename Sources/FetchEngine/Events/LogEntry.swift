import FetchConfig
package import FetchModel
import FetchSchedule
import FetchStore
package import FetchValues

/// The sentence that a log shows for an event, and the subject of the event.
package struct LogEntry: Equatable, Sendable {
  package var level: LogLine.Level
  /// The event as one sentence without a full stop.
  package var text: String
  package var job: JobName?
  package var hook: HookName?
  package var transfer: Int64?

  package init(
    _ text: String, _ level: LogLine.Level = .info, job: JobName? = nil, hook: HookName? = nil,
    transfer: Int64? = nil
  ) {
    self.level = level
    self.text = text
    self.job = job
    self.hook = hook
    self.transfer = transfer
  }

  /// The text for a log without metadata. If the subject is a job and not a hook, the text begins
  /// with the job's name.
  package var line: String {
    guard let job, hook == nil, !text.hasPrefix("\(job): ") else { return text }
    return "\(job): \(text)"
  }
}

extension Event {
  /// The log entry of the event. Nil for `reloading`, and for an ended run, which has its own
  /// record.
  package var entry: LogEntry? {
    switch self {
    case .runEnded, .reloading: nil
    case .jobNotice(let job, let notice): LogEntry("\(job): \(notice.sentence)", job: job)
    case .pluginLoad(let job, let failure): Self.loading(job, failure)
    case .transferEnded(let record): Self.ended(record)
    case .partialFileLeft(let id, let reason):
      LogEntry("transfer \(id): \(reason)", transfer: id)
    case .subscription(let job, let hub, let notice): Self.subscription(job, hub, notice)
    case .transfersLeft(let count): Self.transfersLeft(count)
    case .hookLoad, .hookLogged, .delivered, .deliveryRetried, .deliveryAbandoned,
      .deliveriesWait, .deliveriesLeft:
      hookEntry
    case .storeRefused(let use, let error): use.entry(error.message)
    default: daemonEntry
    }
  }

  private static func subscription(
    _ job: JobName, _ hub: String, _ notice: Subscription.Notice
  ) -> LogEntry {
    let name = (try? TargetURL(hub))?.authority ?? hub
    return switch notice {
    case .verified: LogEntry("subscribed at \(name), which pushes updates", job: job)
    case .failed(let reason):
      LogEntry("cannot subscribe at \(name): \(reason)", .warning, job: job)
    case .denied(let reason):
      LogEntry("\(name) denied the subscription: \(reason)", .warning, job: job)
    }
  }

  private static func loading(_ job: JobName, _ failure: Failure?) -> LogEntry {
    let text = failure?.loadSentence ?? "its plugin can now be loaded"
    return LogEntry(text, failure == nil ? .info : .error, job: job)
  }

  private static func ended(_ record: TransferRecord) -> LogEntry {
    let place = "\(record.job): \(record.request.to.text)"
    let end =
      record.failure.map { "not received: \($0.described)" }
      ?? "\(ByteSize(bytes: record.download.receivedBytes).decimal) received"
    return LogEntry("\(place): \(end)", job: record.job, transfer: record.id)
  }

  private static func transfersLeft(_ count: Int) -> LogEntry {
    LogEntry(
      count == 1
        ? "1 transfer stays queued; it can continue with a later run of its job, or with"
          + " `fetchrun serve` if the config has the job"
        : "\(count) transfers stay queued; they can continue with later runs of their jobs, or with"
          + " `fetchrun serve` if the config has the jobs")
  }

  private static func deliveriesLeft(_ count: Int, _ next: String, _ command: String) -> LogEntry {
    let deliveries = count == 1 ? "delivery waits" : "deliveries wait"
    return LogEntry("\(count) \(deliveries) in the outbox for \(next): see \(command)")
  }

  private var hookEntry: LogEntry? {
    switch self {
    case .hookLoad(let hook, let failure?):
      LogEntry(
        "hook '\(hook)' is not called and its deliveries wait: \(failure.hookLoadSentence)", .error,
        hook: hook)
    case .hookLoad(let hook, nil):
      LogEntry("hook '\(hook)': its file can now be loaded", hook: hook)
    case .hookLogged(let hook, let line): LogEntry("hook \(hook): \(line.message)", hook: hook)
    case .delivered(let batch, let receiver):
      LogEntry(
        batch.sentence(deliveredTo: receiver), hook: batch.deliveries.first?.hook)
    case .deliveryRetried(let batch, let reason): batch.entry("is retried: \(reason)")
    case .deliveryAbandoned(let batch, let reason, let command):
      batch.entry("was given up: \(reason); see \(command) --failed")
    case .deliveriesWait(let hook, let reason):
      LogEntry("hook '\(hook)': deliveries wait: \(reason)", hook: hook)
    case .deliveriesLeft(let count, let next, let command):
      Self.deliveriesLeft(count, next, command)
    default: nil
    }
  }

  private var daemonEntry: LogEntry? {
    switch self {
    case .serving(let count, let config, let sandbox):
      LogEntry("serving \(count.text) of \(config) (sandbox: \(sandbox))")
    case .stopping(let count, let timeMax):
      LogEntry(
        "stopping: \(counted(count, "run")) under way"
          + (count == 0
            ? "" : "; waiting at most \(timeMax.shortText); send the signal again to end now"))
    case .overdue:
      LogEntry("the daemon did not stop within the grace period; its runs are abandoned", .error)
    case .reloaded(let status): LogEntry("config reloaded: \(status)")
    case .reloadRefused: LogEntry(Self.reloadRefusal, .error)
    case .configProblem(let problem): LogEntry(problem.description, .error)
    case .failed(let text): LogEntry(text, .error)
    case .unwatched(let watched, let reason):
      LogEntry("\(watched.rawValue) not watched: \(reason)")
    case .outputDropped(.log, let count):
      LogEntry("\(counted(count, "message")) dropped: the log reader is too slow", .warning)
    case .outputDropped(.results, let count):
      LogEntry(
        "\(counted(count, "line")) of standard output dropped: its reader is too slow", .warning)
    default: nil
    }
  }

  /// The answer to a reload request if the new config has errors.
  package static let reloadRefusal =
    "config not reloaded: it has errors; still using the previous one"
}

extension DeliveryBatch {
  fileprivate func entry(_ end: String) -> LogEntry {
    let subject =
      isDigest ? digestPhrase : "delivery \(deliveries[0].id) of \(deliveries[0].job)"
    return LogEntry("hook '\(hook)': \(subject) \(end)", job: job, hook: hook)
  }
}

extension Event.StoreUse {
  fileprivate func entry(_ message: String) -> LogEntry {
    switch self {
    case .schedules, .retention, .transfers: LogEntry(message)
    case .subscriptions: LogEntry("cannot read or store subscriptions: \(message)")
    case .jobAges: LogEntry("cannot check jobs for staleness: \(message)")
    case .transfer(let id): LogEntry("transfer \(id): \(message)", transfer: id)
    case .deliveries:
      LogEntry("cannot read deliveries: \(message); retrying")
    case .deliveryTimes: LogEntry("cannot store new times of deliveries: \(message)")
    case .delivery(let hook, let rest):
      LogEntry(
        "hook '\(hook)': \(message); retrying in \(rest.components.seconds) s", hook: hook)
    case .hook(let hook): LogEntry("hook '\(hook)': \(message)", hook: hook)
    }
  }
}

extension Failure {
  /// Whether the failure is the HTTP status of a server. The description of such a failure omits
  /// the place in the plugin's code, which would not help.
  package var isOfServer: Bool { code == .httpStatus }

  /// The failure as text: `pluginError: attempt to … (reuters.lua:12)`.
  package var described: String {
    var text = "\(code.rawValue): \(message)"
    if let file, !isOfServer { text += line.map { " (\(file):\($0))" } ?? " (\(file))" }
    return text
  }
}
