import FetchConfig
package import FetchModel
package import FetchSchedule
import FetchValues

extension ScheduledJob {
  /// When and how a configured job is scheduled: the job's own word, else its plugin's, else a
  /// learned schedule.
  package init(_ prepared: PreparedJob, local: ZoneOffsets) {
    let config = prepared.config
    let manifest = prepared.job.plugin.manifest
    self.init(
      name: prepared.job.name, interval: config.interval ?? manifest.interval ?? .adaptive,
      hostname: prepared.job.laneHostname)
    jitter = config.jitter
    // Others need none, and a job with nothing unusual takes less memory.
    if case .cron = interval { zone = config.zone ?? local }
    if !config.windows.isEmpty || config.days != .all { runTimes = config.runTimes(local: local) }
    priority = config.priority
    budget = config.budget
    conditions = config.conditions
    catchUp = config.catchUp
    isEnabled = config.isEnabled
  }

  /// A disabled job that could not run, held so that it is known by its name.
  static func unready(_ name: String) -> ScheduledJob {
    var job = ScheduledJob(name: name, interval: .never)
    job.isEnabled = false
    job.isReady = false
    return job
  }
}

extension Job {
  /// The hostname that a run asks first, as far as can be told beforehand: that of the address the
  /// plugin wakes on, else of the first hostname granted.
  var laneHostname: String? {
    if let url = wakeURL, let target = try? TargetURL(url) {
      return target.scheme == .file ? nil : target.hostname
    }
    return grant.hosts.first { !$0.name.contains("*") }?.name
  }
}
