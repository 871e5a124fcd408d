package import FetchConfig
package import FetchModel
package import FetchSchedule
package import FetchStore
package import FetchValues

/// An event that happened in a process that runs jobs.
///
/// An event holds the facts. `LogEntry` holds the sentence that a log shows. Subscribers are, for
/// example, the terminal, a log with metadata and the service manager.
package enum Event: Sendable {
  // MARK: Jobs

  /// A run ended. The `trigger` of its record shows whether the run fetched items or notified a
  /// plugin of an ended transfer.
  case runEnded(RunReport)
  /// A message to the user about a job.
  case jobNotice(job: JobName, Notice)
  /// The result of loading a job's plugin: the failure, or nil if the plugin loads now.
  case pluginLoad(job: JobName, Failure?)

  // MARK: Transfers

  /// A transfer ended: the file was received completely, or the transfer was cancelled or failed
  /// permanently.
  case transferEnded(TransferRecord)
  /// The partial file of a removed transfer could not be removed.
  case partialFileLeft(transfer: Int64, reason: String)

  /// A command ends with the given number of pending transfers, which another process continues.
  case transfersLeft(count: Int)

  // MARK: Hooks

  /// The result of loading a hook's file: the failure, or nil if the file loads now.
  case hookLoad(hook: HookName, Failure?)
  /// A hook file logged a line.
  case hookLogged(hook: HookName, LogLine)
  /// Deliveries of a hook were sent. `receiver` is a hostname, a file or a program, without
  /// secrets.
  case delivered(DeliveryBatch, receiver: String)
  /// The first attempt at a delivery or at a digest failed.
  case deliveryRetried(DeliveryBatch, reason: String)
  /// A delivery or a digest was given up. `command` lists the deliveries in the outbox. With
  /// `--failed`, it lists the deliveries that were given up.
  case deliveryAbandoned(DeliveryBatch, reason: String, command: String)
  /// The deliveries of a hook wait, and the reason for the wait is new.
  case deliveriesWait(hook: HookName, reason: String)
  /// A command ends with the given number of waiting deliveries. `next` names the run that sends
  /// these deliveries. `command` is the command that lists them.
  case deliveriesLeft(count: Int, next: String, command: String)

  // MARK: Subscriptions

  /// A notice to the user about a job's subscription at a hub.
  case subscription(job: JobName, hub: String, Subscription.Notice)

  // MARK: The store

  /// The store refused a request of one part of the program. That part retries the request, or
  /// continues without the result.
  case storeRefused(StoreUse, StoreError)

  /// A use of the store outside the runs.
  package enum StoreUse: Hashable, Sendable {
    case schedules
    case retention
    /// The times of each job's last success and last new data.
    case jobAges
    case subscriptions
    case transfers
    case transfer(Int64)
    case deliveries
    case deliveryTimes
    /// A delivery of a hook. The delivery is retried after the given time.
    case delivery(hook: HookName, retryAfter: Duration)
    /// The pace of a hook, or the hook's notifications about stale jobs.
    case hook(HookName)
  }

  // MARK: The daemon

  /// The daemon began to serve. `sandbox` names the restrictions of the workers.
  case serving(JobCount, config: String, sandbox: String)
  /// The daemon starts no more runs. The runs under way must end within `timeMax`.
  case stopping(runCount: Int, timeMax: Duration)
  /// The daemon did not stop within its grace period and ends now.
  case overdue
  /// The daemon reads its config again.
  case reloading
  /// The new config is in force. `status` contains the number of jobs.
  case reloaded(status: String)
  /// The reload failed, for example because the new config has errors. Earlier events have reported
  /// the reasons.
  case reloadRefused
  /// A mistake in the config.
  case configProblem(ConfigProblem)
  /// A task of the daemon failed. The string is the reason.
  case failed(String)
  /// Changes to files or to the config cannot be watched.
  case unwatched(Watched, reason: String)
  /// Lines of a standard stream were dropped, because the stream's reader was too slow.
  case outputDropped(Stream, count: Int)

  package enum Watched: String, Sendable {
    case files = "files are"
    case config = "the config is"
  }

  package enum Stream: Sendable {
    case results
    case log
  }
}

extension Job {
  /// The event that reports whether the job's plugin loads.
  package var loadEvent: Event { .pluginLoad(job: name, plugin.loadFailure) }
}

extension LuaHook {
  /// The event that reports whether the hook's file loads.
  package var loadEvent: Event { .hookLoad(hook: name, file.loadFailure) }
}

/// The report of a run: the run's record, news and log lines.
package struct RunReport: Sendable {
  package var record: RunRecord
  /// The news of the run, oldest first, as far as `RunServices.Settings.news` keeps the items.
  /// After a rehearsal, the sequence numbers are 0.
  package var lines: [StoredItem] = []
  /// The number of news items; 0 unless `RunServices.Settings.news` keeps the items for the report.
  /// `lines` may hold only the last of these items.
  package var newsCount = 0
  package var logs: [LogLine] = []
  /// The number of transfers that the run queued.
  package var transferCount = 0
  /// Whether the run's ended transfer counts as reported to the plugin, so that the notification is
  /// not repeated. This also applies to some failed runs: see `RunConclusion.deliver`.
  package var isTransferTold = false
  /// The hostnames to which the run sent requests.
  package var hostsReached: [String] = []
  /// The hub that the job's feed, web page or answer header names; `none` if there is no usable
  /// hub. Nil if the run does not show whether there is a hub, for example because the plugin
  /// parsed no feed or web page.
  package var hub: HubDiscovery?
  /// The redactor, which removes the secrets that the run has used.
  package var redactor = Redactor()

  /// The reason why the run's end was not stored; nil if the end was stored.
  package var storeError: StoreError?

  package init(record: RunRecord) { self.record = record }
}

/// The subscribers to the events of a process.
///
/// `emit` may be called from any thread, also concurrently. It returns after every subscriber has
/// received the event. A subscriber must return immediately, so it puts slow work into a queue.
package struct EventSink: Sendable {
  private let subscribers: [@Sendable (Event) -> Void]

  /// A sink that ignores all events.
  package static let none = EventSink([])

  package init(_ subscriber: @escaping @Sendable (Event) -> Void) { self.init([subscriber]) }

  private init(_ subscribers: [@Sendable (Event) -> Void]) { self.subscribers = subscribers }

  /// Returns a sink that calls the subscribers of both sinks, first the subscribers of this sink.
  package func and(_ other: EventSink) -> EventSink {
    EventSink(subscribers + other.subscribers)
  }

  package func emit(_ event: Event) {
    for subscriber in subscribers { subscriber(event) }
  }
}
