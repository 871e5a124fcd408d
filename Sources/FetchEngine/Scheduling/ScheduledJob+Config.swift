import FetchConfig
package import FetchModel
package import FetchSchedule
import FetchValues

extension ScheduledJob {
  /// Creates the scheduled form of a job. The interval is the job's own, otherwise the plugin's,
  /// otherwise adaptive.
  package init(_ job: borrowing Job, local: ZoneOffsets) {
    self.init(
      name: job.name,
      interval: job.config?.interval ?? job.plugin.manifest.interval ?? .adaptive,
      hostname: job.laneHostname)
    hasLoadFailure = job.plugin.loadFailure != nil
    // Only cron lines need the zone. Other jobs take less memory without it.
    if case .cron = interval { zone = job.config?.zone ?? local }
    if let config = job.config { apply(config, local: local) }
  }

  private mutating func apply(_ config: JobConfig, local: ZoneOffsets) {
    jitter = config.jitter
    if !config.windows.isEmpty || config.days != .all { runTimes = config.runTimes(local: local) }
    priority = config.priority
    if !config.budget.isEmpty { budget = config.budget }
    conditions = config.conditions
    catchUp = config.catchUp
    isEnabled = config.isEnabled
  }

  /// Returns a placeholder for a disabled job that cannot be prepared, so that the job's name is
  /// known.
  static func unready(_ name: JobName) -> ScheduledJob {
    var job = ScheduledJob(name: name, interval: .never)
    job.isEnabled = false
    job.isReady = false
    return job
  }

  /// Returns a placeholder for a job that only the store has.
  static func unlisted(_ name: JobName) -> ScheduledJob {
    var job = ScheduledJob(name: name, interval: .never)
    job.isListed = false
    return job
  }
}

extension Job {
  /// The expected hostname of a run's first request: the hostname of the plugin's wake address,
  /// otherwise the first granted hostname without a wildcard. Nil if there is none, or if the wake
  /// address is a `file:` address.
  var laneHostname: String? {
    if let url = wakeURL, let (scheme, hostname) = try? TargetURL.server(of: url) {
      return scheme == .file ? nil : hostname
    }
    return grant.hosts.first { !$0.name.contains("*") }?.name
  }
}
