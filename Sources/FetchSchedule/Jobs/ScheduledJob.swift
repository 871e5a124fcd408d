package import FetchModel
package import FetchValues

/// The part of a job's config that the scheduler needs.
///
/// The value is small, because there may be a million jobs, and each decision reads the value of a
/// job.
package struct ScheduledJob: Hashable, Sendable {
  private struct Exceptions: SparsePart {
    var zone: ZoneOffsets = .utc
    var runTimes: RunTimes?
    var budget = BudgetLimits()
  }

  /// The job's name, which is unique among the jobs of a scheduler.
  package var name: JobName
  package var interval: Interval
  /// The maximum random delay of a due time that a fixed interval or a cron line gives. Other due
  /// times get no such delay.
  package var jitter: Duration = .zero
  /// The hostname whose lane the job's runs use, in the form of `TargetURL`; nil if no hostname is
  /// known before a run.
  package var hostname: String? { didSet { asksOthers = Self.isElsewhere(hostname) } }
  package var priority: Priority = .normal
  package var conditions = Conditions()
  package var catchUp: CatchUp = .one
  /// Whether the job is scheduled. A disabled job runs only when a person requests a run.
  package var isEnabled = true
  /// Whether the job is more than a placeholder for a disabled job that cannot be prepared. The
  /// placeholder is in the tables, so that the job's name is known.
  package var isReady = true
  /// Whether a config has the job. For any other job, only the state in the store is known.
  package var isListed = true
  /// Whether the job's plugin file cannot be loaded, so that each run fails.
  package var hasLoadFailure = false
  /// Whether the job has a hostname that is not a loopback address, not `localhost`, and not a name
  /// that ends in `.localhost`.
  private var asksOthers: Bool
  private var exceptions = Sparse<Exceptions>()

  package init(name: JobName, interval: Interval, hostname: String? = nil) {
    self.name = name
    self.interval = interval
    self.hostname = hostname
    asksOthers = Self.isElsewhere(hostname)
  }

  /// The time zone of the job's cron line. Other intervals ignore the zone.
  package var zone: ZoneOffsets {
    get { exceptions.part.zone }
    set { exceptions.part.zone = newValue }
  }

  package var runTimes: RunTimes? {
    get { exceptions.unusual?.runTimes }
    set { exceptions.part.runTimes = newValue }
  }

  /// The job's own budget, in addition to the budget of all jobs. The config gives this budget no
  /// limit of concurrent runs.
  package var budget: BudgetLimits {
    get { exceptions.part.budget }
    set { exceptions.part.budget = newValue }
  }

  /// Whether the job has a budget of its own.
  var hasBudget: Bool { exceptions.unusual?.budget.isEmpty == false }

  private static func isElsewhere(_ hostname: String?) -> Bool {
    guard let hostname else { return false }
    if let address = IPAddress(hostname) { return AddressClass(address) != .loopback }
    return hostname != "localhost" && !hostname.hasSuffix(".localhost")
  }

  var needsNetwork: Bool { asksOthers || conditions.needsNetwork }
}

/// A part of a table's row that few rows need, stored outside the row. Each row thus needs only one
/// machine word for the part, so that more rows fit into the cache.
struct Sparse<Part: SparsePart>: Hashable, Sendable {
  /// A list with the part if the part differs from the default; otherwise an empty list.
  private var kept: [Part] = []

  /// The part of the row; nil if it equals the default.
  var unusual: Part? { kept.first }

  var part: Part {
    get { kept.first ?? Part() }
    set { kept = newValue == Part() ? [] : [newValue] }
  }
}

/// A part of a table's row that is rarely different from its default. `init` creates the default.
protocol SparsePart: Hashable, Sendable {
  init()
}

/// The index of a job in a scheduler's tables. The number is valid from `add` until the job is
/// removed: see `remove`. After that, another job may have the same number.
package struct JobNumber: Hashable, Sendable {
  let index: Int32

  init(_ index: Int32) { self.index = index }
  package var slot: Int { Int(index) }
}
