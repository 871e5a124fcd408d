package import FetchHost
package import FetchModel
package import FetchSchedule
package import FetchStore
package import FetchValues

/// The dependencies of runs, hooks, deliveries and transfers in this process: the store, workers,
/// HTTP, the clock, secrets, and the policy that they follow.
///
/// It is an object: every run and every hook gets one, and as plain fields its copies filled the
/// frames of their async functions (measured: 20 KB for each run that waits).
package final class RunServices: Sendable {
  /// The settings that differ between the users of the services; see `with`.
  package struct Settings: Sendable {
    package var policy: HTTPPolicy
    /// Called when a run has queued transfers, or when a job no longer waits for approval.
    package var onTransfers: @Sendable () -> Void = {}
    /// Called when a run has written deliveries.
    package var onDeliveries: @Sendable () -> Void = {}
    /// The budget that hooks share; nil for a command without a config.
    package var budget: (any SpendingGate)?
    /// The cooldowns that requests of runs and hooks respect.
    package var cooldowns: (any Cooldowns)?
    /// The handling of news, the same for all runs.
    package var news = RunNews.all
    /// Whether files stay unchanged, see `Rehearsal`.
    package var isRehearsal = false
  }

  package let store: any Store
  package let workers: WorkerPool
  package let http: any HTTPTransport
  package let settings: Settings
  package let time: RunTime
  /// This machine's folder of the store.
  package let state: StateFolder
  package let files: JobFolders
  package let secrets: SecretAccess
  package let grants: GrantBook
  /// The commands that messages suggest.
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

/// The handling of a run's news besides storing them. For many thousand items they are most of a
/// run's memory.
package enum RunNews: Sendable {
  /// The report has all news.
  case all
  /// The report has that many of the last news.
  case last(Int)
  /// Each item is passed on in order, as soon as it is durable; the report has none.
  case each(@Sendable (StoredItem) -> Void)
  /// The news are only in the store.
  case none
}

/// The budget that hook files share with the jobs of a config.
package protocol SpendingGate: Sendable {
  /// Returns when spending is allowed; nil: now.
  func opening(now: Timestamp) -> Timestamp?
  /// Charges a cost to the budget of all jobs, and its CPU time also to the job's own.
  func charge(_ cost: RunCost, cpuOf job: String, now: Timestamp)
}
