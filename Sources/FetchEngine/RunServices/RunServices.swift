package import FetchHost
package import FetchModel
package import FetchSchedule
package import FetchStore
package import FetchValues

/// The dependencies of runs, hooks, deliveries and transfers in this process: the store, workers,
/// HTTP, the clock, secrets, and the settings.
///
/// This type is a class because every run and every hook has a reference to the services. Copies of
/// a struct would fill the frames of async functions (measured: 20 KB for each waiting run).
package final class RunServices: Sendable {
  /// The settings that differ between the parts of the program that use the services: see `with`.
  package struct Settings: Sendable {
    package var policy: HTTPPolicy
    /// The function that is called when a run has queued transfers, or when the start of a run
    /// removes the run's job from `GrantBook.heldJobs`.
    package var onTransfers: @Sendable () -> Void = {}
    /// The function that is called when the store has made the end of a run durable. It receives
    /// the time that the store took to do so.
    package var onCommit: @Sendable (Duration) -> Void = { _ in }
    /// The function that is called when a run has written deliveries.
    package var onDeliveries: @Sendable () -> Void = {}
    /// The budget that hook files share with the jobs; nil if the calls of hook files spend no
    /// budget.
    package var budget: (any SpendingGate)?
    /// The cooldowns that requests of runs and hooks respect; nil if they respect none.
    package var cooldowns: (any Cooldowns)?
    /// The rule for what happens to the news items of a run.
    package var news = RunNews.all
    /// Whether the runs change no files: see `Rehearsal`.
    package var isRehearsal = false
  }

  package let store: any Store
  package let workers: WorkerPool
  package let http: any HTTPTransport
  package let settings: Settings
  package let time: RunTime
  /// This machine's folder for data that belongs to the store but is not in it.
  package let state: StateFolder
  package let files: JobFolders
  package let secrets: SecretAccess
  package let grants: GrantBook
  /// The config and the store for the commands that messages suggest.
  package let suggested: SuggestedCommand

  package init(
    store: any Store, workers: WorkerPool, http: any HTTPTransport, policy: HTTPPolicy,
    time: RunTime, secrets: SecretAccess = SecretAccess(reading: SecretSources(environment: [:])),
    suggested: SuggestedCommand = SuggestedCommand()
  ) {
    self.store = store
    self.workers = workers
    self.http = http
    settings = Settings(policy: policy)
    self.time = time
    state = StateFolder(of: store.address)
    files = JobFolders(state)
    self.secrets = secrets
    grants = GrantBook(store: store, suggested: suggested)
    self.suggested = suggested
  }

  private init(_ other: RunServices, _ settings: Settings) {
    store = other.store
    workers = other.workers
    http = other.http
    self.settings = settings
    time = other.time
    state = other.state
    files = other.files
    secrets = other.secrets
    grants = other.grants
    suggested = other.suggested
  }

  /// Returns the same services with other settings.
  package func with(_ change: (inout Settings) -> Void) -> RunServices {
    var settings = settings
    change(&settings)
    return RunServices(self, settings)
  }
}

/// The rule for what happens to a run's news items after they are stored.
package enum RunNews: Sendable {
  /// The report contains all news items.
  case all
  /// The report contains only the last news items, at most the given number.
  case last(Int)
  /// Each news item is passed to the function in order, as soon as the item is durably stored. The
  /// report contains no news items.
  case each(@Sendable (StoredItem) -> Void)
  /// The news items are only in the store.
  case none
}

/// The budget that all hook files share with the jobs of a config.
package protocol SpendingGate: Sendable {
  /// Returns the time from which spending is allowed; nil if spending is allowed now.
  func opening(now: Timestamp) -> Timestamp?
  /// Charges a cost to the budget of all jobs. The CPU time of the cost is also charged to the
  /// job's own budget.
  func charge(_ cost: RunCost, cpuOf job: JobName, now: Timestamp)
}

/// The clock and the random source of runs. They are parameters, so that tests can control them.
package struct RunTime: Sendable {
  package var now: @Sendable () -> Timestamp
  package var random: @Sendable () -> UInt64
  /// The clock for waits, for example before a retry.
  package var clock: any Clock<Duration> = HostClock()
  /// Whether the clock that the plugin reads stands still during a run.
  package var isFrozen = false

  package init(
    now: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable () -> UInt64
  ) {
    self.now = now
    self.random = random
  }

  /// The system's clock and random source.
  package static let system = RunTime(
    now: { SystemClock.now() }, random: { UInt64.random(in: .min ... .max) })
}

/// The folders of a store's jobs, and the threads that wait for disk operations.
package struct JobFolders: Sendable {
  /// The roots of the folders. All runs and transfers share the roots and their quotas.
  package let roots = FileRoots()
  package let threads = FileThreads()
  private let state: StateFolder

  package init(_ state: StateFolder) { self.state = state }

  /// Returns the path of a job's own folder, even if it does not exist.
  package func path(of job: Job) -> String {
    job.files.root ?? state.files(of: job.name)
  }

  /// Returns a job's own folder. Creates the folder if it is missing. Blocks the thread during disk
  /// operations.
  package func root(of job: Job) throws(FileFault) -> FileRoot {
    try roots.root(path(of: job), quota: job.files.quota)
  }
}
