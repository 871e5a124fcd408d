import FetchConfig
package import FetchModel
package import FetchSchedule
import FetchValues

extension ScheduledJob {
  /// Creates the scheduled form of a job. The interval is the job's own, otherwise the plugin's,
  /// otherwise adaptive.
  package init(_ job: Job, local: ZoneOffsets) {
    let config = job.config ?? JobConfig(name: job.name, plugin: job.plugin.name)
    let manifest = job.plugin.manifest
    self.init(
      name: job.name, interval: config.interval ?? manifest.interval ?? .adaptive,
      hostname: job.laneHostname)
    jitter = config.jitter
    // Only cron lines need the zone. Other jobs take less memory without it.
    if case .cron = interval { zone = config.zone ?? local }
    if !config.windows.isEmpty || config.days != .all { runTimes = config.runTimes(local: local) }
    priority = config.priority
    budget = config.budget
    conditions = config.conditions
    catchUp = config.catchUp
    isEnabled = config.isEnabled
    hasLoadFailure = job.plugin.loadFailure != nil
  }

  /// Returns a placeholder for a disabled job that cannot be prepared, so that the job's name is
  /// known.
  static func unready(_ name: JobName) -> ScheduledJob {
    var job = ScheduledJob(name: name, interval: .never)
    job.isEnabled = false
    job.isReady = false
    return job
  }
}

extension Job {
  /// The expected hostname of a run's first request: the hostname of the plugin's wake address,
  /// otherwise the first granted hostname without a wildcard. Nil if there is none, or if the wake
  /// address is a `file:` address.
  var laneHostname: String? {
    if let url = wakeURL, let target = try? TargetURL(url) {
      return target.scheme == .file ? nil : target.hostname
    }
    return grant.hosts.first { !$0.name.contains("*") }?.name
  }
}
