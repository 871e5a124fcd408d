package import FetchHost
package import FetchModel
package import FetchSchedule
package import FetchStore
package import FetchValues

/// What runs, hooks, deliveries and transfers need of this process: the store, workers, HTTP, the
/// clock, secrets, and the policy that they follow.
///
/// An object: every run and every hook is handed one, and as plain fields its copies filled the frames
/// of their async functions (measured: 20 KB for each run that waits).
package final class RunServices: Sendable {
  /// What differs between those who have runs carried out; see `with`.
  package struct Settings: Sendable {
    package var policy: HTTPPolicy
    /// Called when a run has queued transfers, or when a job no longer waits for approval.
    package var onTransfers: @Sendable () -> Void = {}
    /// Called when a run has written deliveries.
    package var onDeliveries: @Sendable () -> Void = {}
    /// Whose budget hooks share; nil for a command without a config.
    package var budget: (any SpendingGate)?
    /// Hostnames that no request of a run or a hook is to disturb.
    package var cooldowns: (any Cooldowns)?
    /// Of all runs that are carried out.
    package var news = RunNews.all
    /// Whether files are left as they are, see `Rehearsal`.
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

  /// The same services with other settings.
  package func with(_ change: (inout Settings) -> Void) -> RunServices {
    var settings = settings
    change(&settings)
    return RunServices(self, settings)
  }
}

/// What becomes of the news of a run, beside being stored: of many thousand items they are most of
/// what a run takes.
package enum RunNews: Sendable {
  /// Its report has all.
  case all
  /// Its report has the last so many.
  case last(Int)
  /// Each is given away in order, as soon as it is stored for good; the report has none.
  case each(@Sendable (StoredItem) -> Void)
  /// They are in the store.
  case none
}

/// The budget that hook files share with the jobs of a config.
package protocol SpendingGate: Sendable {
  /// When something may be spent; nil: now.
  func opening(now: Timestamp) -> Timestamp?
  /// Takes a cost from the budget of all jobs, and its CPU time also from the job's own.
  func charge(_ cost: RunCost, cpuOf job: String, now: Timestamp)
}
