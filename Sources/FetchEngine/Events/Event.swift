package import FetchConfig
package import FetchModel
package import FetchSchedule
package import FetchStore

/// Something that happened in a process that runs jobs.
///
/// An event has the facts; `LogEntry` has the sentence that a log shows of it. Subscribers are the
/// terminal, a log with metadata and the service manager.
package enum Event: Sendable {
  // MARK: Jobs

  /// A run ended: of a job, or of a plugin that was notified of its transfer (`trigger` says which).
  case runEnded(RunReport)
  /// Something about a job that a person should know.
  case jobNotice(job: String, Notice)
  /// The plugin of a job did not load, for that reason; nil: it loads now.
  case pluginLoad(job: String, Failure?)

  // MARK: Transfers

  /// A transfer ended: all of it was received, or it failed for good.
  case transferEnded(TransferRecord)
  /// The partial file of a transfer that is gone could not be removed.
  case partialFileLeft(transfer: Int64, reason: String)

  /// A command ends while that many of its transfers are pending: another process goes on with them.
  case transfersLeft(count: Int)

  // MARK: Hooks

  /// The file of a hook did not load, for that reason; nil: it loads now.
  case hookLoad(hook: String, Failure?)
  /// A hook file logged a line.
  case hookLogged(hook: String, LogLine)
  /// Deliveries of a hook went out; `receiver` is a hostname, a file or a program, without secrets.
  case delivered(DeliveryBatch, receiver: String)
  /// The first attempt at a delivery failed.
  case deliveryRetried(Delivery, reason: String)
  /// A delivery is given up; `command` lists those that are.
  case deliveryAbandoned(Delivery, reason: String, command: String)
  /// Deliveries of a hook wait, for a new reason.
  case deliveriesWait(hook: String, reason: String)
  /// A command ends while that many deliveries wait; `next` delivers them, `command` lists them.
  case deliveriesLeft(count: Int, next: String, command: String)

  // MARK: The store

  /// The store refused a part of the work. Each part tries again, or does without.
  case storeRefused(StoreUse, StoreError)

  /// A part of the work that uses the store beside the runs.
  package enum StoreUse: Hashable, Sendable {
    case schedules
    case retention
    /// The times since when jobs have had no success or no news.
    case jobAges
    case transfers
    case transfer(Int64)
    case deliveries
    case deliveryTimes
    /// A delivery of a hook; it is tried again after that time.
    case delivery(hook: String, retryAfter: Duration)
    /// The pace or the marks of a hook.
    case hook(String)
  }

  // MARK: The daemon

  /// The daemon began to serve; `sandbox` says what confines the workers.
  case serving(jobCount: Int, config: String, sandbox: String)
  /// The daemon starts no more runs; those under way have at most that time.
  case stopping(runCount: Int, timeMax: Duration)
  /// The daemon did not end within its grace period, and ends now.
  case overdue
  /// The daemon reads its config again.
  case reloading
  /// The config is in force; `status` counts its jobs.
  case reloaded(status: String)
  /// The config has errors, which events before this one have named; the previous one stays.
  case reloadRefused
  /// A mistake in the config.
  case configProblem(ConfigProblem)
  /// Work for the daemon failed, for the reason in the text.
  case failed(String)
  /// Changes of files or of the config are not noticed, for that reason.
  case unwatched(Watched, reason: String)
  /// The reader of a standard stream was too slow for that many lines.
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

extension PreparedJob {
  /// Whether its plugin loads, as an event.
  package var loadEvent: Event { .pluginLoad(job: job.name, job.plugin.loadFailure) }
}

extension LuaHook {
  /// Whether its file loads, as an event.
  package var loadEvent: Event { .hookLoad(hook: name, file.loadFailure) }
}
