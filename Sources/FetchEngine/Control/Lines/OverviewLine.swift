import FetchModel
package import FetchValues

/// The state of all jobs together.
package struct OverviewLine: Hashable, Sendable {
  /// Whether a daemon answered. Without a daemon, the numbers that only a daemon knows are 0.
  package var isServed: Bool
  /// The time at which the daemon started; nil without a daemon.
  package var startedAt: Timestamp?
  package var version = Product.version
  /// The number of jobs in each state.
  package var jobs: [JobState: Int] = [:]
  /// The number of enabled jobs that have failed at least `Scheduler.brokenAfter` times in a row,
  /// or whose plugin does not load. Without a daemon, removed jobs that have failed so often also
  /// count, and disabled ones if the config is unknown.
  package var broken = 0
  /// The number of enabled jobs in `GrantBook.heldJobs`. Their plugin files may not run, for
  /// example because permissions wait for approval.
  package var held = 0
  /// The number of jobs that are paused because their source answered 410 Gone.
  package var pausedBySource = 0
  /// The numbers of jobs that have had no success, or no new data, for longer than a hook allows.
  package var stale = StaleCounts()
  /// The number of runs under way.
  package var runs = 0
  package var nextDueAt: Timestamp?
  /// The longest time for which a job has been due although nothing holds the job back.
  package var overdue: Duration = .zero
  /// The time at which all jobs were paused with one request; nil if no such pause is in force.
  package var pausedSince: Timestamp?
  /// The time since which the machine has had no network; nil if no such time is known. The system
  /// has reported this time, or the daemon has concluded it from failed runs.
  package var offlineSince: Timestamp?
  /// The reason why no run can be stored; nil while runs can be stored.
  package var storeTrouble: String?
  package var pendingDeliveries = 0
  package var deadDeliveries = 0

  package init(isServed: Bool) { self.isServed = isServed }
}

/// The numbers of stale jobs. The hooks define when a job is stale.
package struct StaleCounts: Hashable, Sendable {
  package var success = 0
  package var newData = 0

  package init() {}
}

extension OverviewLine {
  package var value: Value {
    [
      "daemon": .bool(isServed), "startedAt": .text(startedAt?.descriptionInSeconds),
      "version": .string(version),
      "jobs": .object(
        ValueObject(JobState.allCases.map { ($0.rawValue, .integer(Int64(jobs[$0] ?? 0))) })),
      "broken": .integer(Int64(broken)), "held": .integer(Int64(held)),
      "pausedBySource": .integer(Int64(pausedBySource)),
      "stale": [
        "success": .integer(Int64(stale.success)), "newData": .integer(Int64(stale.newData)),
      ],
      "runs": .integer(Int64(runs)), "nextDueAt": .text(nextDueAt?.descriptionInSeconds),
      "overdueSeconds": .integer(overdue.wholeMilliseconds / 1000),
      "paused": .text(pausedSince?.descriptionInSeconds),
      "offlineSince": .text(offlineSince?.descriptionInSeconds), "store": .text(storeTrouble),
      "deliveries": [
        "pending": .integer(Int64(pendingDeliveries)), "dead": .integer(Int64(deadDeliveries)),
      ],
    ]
  }

  /// Reads an overview from JSON; returns nil if `value` is not a valid overview.
  package init?(_ value: Value) {
    guard let isServed = value["daemon"]?.boolValue, let states = value["jobs"] else { return nil }
    func count(_ value: Value?) -> Int { Int(max(0, min(value?.integerValue ?? 0, 1 << 52))) }
    self.init(isServed: isServed)
    startedAt = value["startedAt"]?.timeValue
    version = value["version"]?.stringValue ?? ""
    for state in JobState.allCases {
      let number = count(states[state.rawValue])
      if number > 0 { jobs[state] = number }
    }
    broken = count(value["broken"])
    held = count(value["held"])
    pausedBySource = count(value["pausedBySource"])
    stale.success = count(value["stale"]?["success"])
    stale.newData = count(value["stale"]?["newData"])
    runs = count(value["runs"])
    nextDueAt = value["nextDueAt"]?.timeValue
    overdue = .seconds(count(value["overdueSeconds"]))
    pausedSince = value["paused"]?.timeValue
    offlineSince = value["offlineSince"]?.timeValue
    storeTrouble = value["store"]?.stringValue
    pendingDeliveries = count(value["deliveries"]?["pending"])
    deadDeliveries = count(value["deliveries"]?["dead"])
  }
}
