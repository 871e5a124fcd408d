package import FetchModel
import FetchValues

/// What the scheduler must know of a job: its configuration, as far as it is about time and turns.
///
/// Small, since each decision reads one of what may be a million.
package struct ScheduledJob: Hashable, Sendable {
  private struct Exceptions: SparsePart {
    var zone: ZoneOffsets = .utc
    var runTimes: RunTimes?
    var budget = BudgetLimits()
  }

  /// Unique among the jobs of a scheduler.
  package var name: String
  package var interval: Interval
  /// Added to each time of a duration or a cron line, by up to this much.
  package var jitter: Duration = .zero
  /// Whose lane the job's runs take, as `TargetURL` has it; nil for a job that asks nobody. Other
  /// hostnames that a run may reach are held to their lanes request by request.
  package var hostname: String? { didSet { asksOthers = Self.isElsewhere(hostname) } }
  package var priority: Priority = .normal
  package var conditions = Conditions()
  package var catchUp: CatchUp = .one
  /// A job that is not runs when a person asks for it alone.
  package var isEnabled = true
  /// Whether there is all that a run needs; a disabled job without is held to be known by its name.
  package var isReady = true
  /// Whether its hostname is another machine's.
  private var asksOthers: Bool
  private var exceptions = Sparse<Exceptions>()

  package init(name: String, interval: Interval, hostname: String? = nil) {
    self.name = name
    self.interval = interval
    self.hostname = hostname
    asksOthers = Self.isElsewhere(hostname)
  }

  /// In whose clocks a cron line is written; nothing to other intervals.
  package var zone: ZoneOffsets {
    get { exceptions.part.zone }
    set { exceptions.part.zone = newValue }
  }

  package var runTimes: RunTimes? {
    get { exceptions.unusual?.runTimes }
    set { exceptions.part.runTimes = newValue }
  }

  /// What it alone may spend, beside the budget of all jobs; runs at once do not count here.
  package var budget: BudgetLimits {
    get { exceptions.part.budget }
    set { exceptions.part.budget = newValue }
  }

  private static func isElsewhere(_ hostname: String?) -> Bool {
    guard let hostname else { return false }
    if let address = IPAddress(hostname) { return AddressClass(address) != .loopback }
    return hostname != "localhost" && !hostname.hasSuffix(".localhost")
  }

  var needsNetwork: Bool { asksOthers || conditions.needsNetwork }
}
