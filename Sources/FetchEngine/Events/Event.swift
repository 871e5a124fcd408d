package import FetchConfig
package import FetchModel
package import FetchSchedule
package import FetchStore

/// An event that happened in a process that runs jobs.
///
/// An event holds the facts; `LogEntry` holds the sentence that a log shows. Subscribers are the
/// terminal, a log with metadata and the service manager.
package enum Event: Sendable {
  // MARK: Jobs

  /// A run ended. `trigger` says whether it was a job's run or notified a plugin of its transfer.
  case runEnded(RunReport)
  /// A notice about a job for the user.
  case jobNotice(job: String, Notice)
  /// A job's plugin did not load, with the reason; nil: it loads now.
  case pluginLoad(job: String, Failure?)

  // MARK: Transfers

  /// A transfer ended: it was received completely or failed permanently.
  case transferEnded(TransferRecord)
  /// The partial file of a removed transfer could not be removed.
  case partialFileLeft(transfer: Int64, reason: String)

  /// A command ends with that many pending transfers; another process continues them.
  case transfersLeft(count: Int)

  // MARK: Hooks

  /// A hook's file did not load, with the reason; nil: it loads now.
  case hookLoad(hook: String, Failure?)
  /// A hook file logged a line.
  case hookLogged(hook: String, LogLine)
  /// Deliveries of a hook were sent; `receiver` is a hostname, a file or a program, without
  /// secrets.
  case delivered(DeliveryBatch, receiver: String)
  /// The first attempt at a delivery failed.
  case deliveryRetried(Delivery, reason: String)
  /// A delivery is given up; `command` lists those that are.
  case deliveryAbandoned(Delivery, reason: String, command: String)
  /// The deliveries of a hook wait, for a new reason.
  case deliveriesWait(hook: String, reason: String)
  /// A command ends while that many deliveries wait; `next` sends them, `command` lists them.
  case deliveriesLeft(count: Int, next: String, command: String)

  // MARK: The store

  /// The store refused a part of the work. Each part retries or continues without it.
  case storeRefused(StoreUse, StoreError)

  /// A part of the work that uses the store, apart from the runs.
  package enum StoreUse: Hashable, Sendable {
    case schedules
    case retention
    /// The times of each job's last success and last news.
    case jobAges
    case transfers
    case transfer(Int64)
    case deliveries
    case deliveryTimes
    /// A delivery of a hook, retried after that time.
    case delivery(hook: String, retryAfter: Duration)
    /// The pace or the marks of a hook.
    case hook(String)
  }

  // MARK: The daemon

  /// The daemon began to serve; `sandbox` names what confines the workers.
  case serving(jobCount: Int, config: String, sandbox: String)
  /// The daemon starts no more runs; those under way have at most that much time.
  case stopping(runCount: Int, timeMax: Duration)
  /// The daemon did not end within its grace period and ends now.
  case overdue
  /// The daemon reads its config again.
  case reloading
  /// The new config is in force; `status` counts its jobs.
  case reloaded(status: String)
  /// The config has errors, which earlier events have named; the previous one stays in force.
  case reloadRefused
  /// A mistake in the config.
  case configProblem(ConfigProblem)
  /// Work for the daemon failed, for the reason in the text.
  case failed(String)
  /// Changes to files or to the config cannot be watched, for that reason.
  case unwatched(Watched, reason: String)
  /// The reader of a standard stream was too slow, so that many lines were dropped.
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
  /// The event that reports whether the job's plugin loads.
  package var loadEvent: Event { .pluginLoad(job: job.name, job.plugin.loadFailure) }
}

extension LuaHook {
  /// The event that reports whether the hook's file loads.
  package var loadEvent: Event { .hookLoad(hook: name, file.loadFailure) }
}
