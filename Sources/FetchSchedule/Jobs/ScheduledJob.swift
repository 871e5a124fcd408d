package import FetchModel
import FetchValues

/// The part of a job's configuration that the scheduler uses.
///
/// It is small, because each decision reads one of up to a million.
package struct ScheduledJob: Hashable, Sendable {
  private struct Exceptions: SparsePart {
    var zone: ZoneOffsets = .utc
    var runTimes: RunTimes?
    var budget = BudgetLimits()
  }

  /// Unique among the jobs of a scheduler.
  package var name: String
  package var interval: Interval
  /// The most that is added to each time of a duration or a cron line.
  package var jitter: Duration = .zero
  /// The hostname whose lane the job's runs take, in the form of `TargetURL`; nil if the job sends
  /// no requests. Other hostnames that a run may reach are limited request by request.
  package var hostname: String? { didSet { asksOthers = Self.isElsewhere(hostname) } }
  package var priority: Priority = .normal
  package var conditions = Conditions()
  package var catchUp: CatchUp = .one
  /// Whether the job is scheduled; a disabled one runs only when a person requests it.
  package var isEnabled = true
  /// Whether the job has everything that a run needs. A disabled job without that is kept so that
  /// its name is known.
  package var isReady = true
  /// Whether its hostname belongs to another machine.
  private var asksOthers: Bool
  private var exceptions = Sparse<Exceptions>()

  package init(name: String, interval: Interval, hostname: String? = nil) {
    self.name = name
    self.interval = interval
    self.hostname = hostname
    asksOthers = Self.isElsewhere(hostname)
  }

  /// The zone of a cron line; other intervals ignore it.
  package var zone: ZoneOffsets {
    get { exceptions.part.zone }
    set { exceptions.part.zone = newValue }
  }

  package var runTimes: RunTimes? {
    get { exceptions.unusual?.runTimes }
    set { exceptions.part.runTimes = newValue }
  }

  /// Its own budget, in addition to the budget of all jobs; a limit of concurrent runs is ignored.
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
