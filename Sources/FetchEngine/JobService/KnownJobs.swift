import FetchConfig
import FetchModel
import FetchSchedule
import FetchValues
import Synchronization

/// The jobs that may have transfers: all jobs of the config, and the guests (jobs outside the
/// config).
final class KnownJobs: Sendable {
  private let jobs: ScheduledJobs
  /// Whether jobs stay known for their transfers after their run. A command that runs each job once
  /// needs this, since the scheduler removes each job after its run.
  private let keepsJobs: Bool
  private let kept = Mutex<[JobName: Job]>([:])
  private let names = Mutex<Set<JobName>>([])
  private let variables = Mutex<Set<String>>([])
  private let pushes = Mutex<[JobName: PushSettings]>([:])
  private let withoutWebSub = Mutex<Set<JobName>>([])

  init(jobs: ScheduledJobs, keepsJobs: Bool) {
    self.jobs = jobs
    self.keepsJobs = keepsJobs
  }

  /// Replaces the names of the jobs, the secret variables, the rules for pushes and the WebSub
  /// settings with those of `config`.
  func set(_ config: Config) {
    let names = Set(config.jobs.map(\.name))
    self.names.withLock { $0 = names }
    // A guest that is now a job of the config is no longer a guest.
    if !keepsJobs { kept.withLock { kept in kept = kept.filter { !names.contains($0.key) } } }
    let variables = config.secretVariables
    self.variables.withLock { $0 = variables }
    var pushes: [JobName: PushSettings] = [:]
    for job in config.jobs { if let push = job.push { pushes[job.name] = push } }
    self.pushes.withLock { [pushes] in $0 = pushes }
    let polls = pushes.compactMapValues(\.poll)
    jobs.withState { $0.learned.pushPolls = polls }
    let withoutWebSub = Set(config.jobs.filter { !$0.usesWebSub }.map(\.name))
    self.withoutWebSub.withLock { $0 = withoutWebSub }
  }

  /// The environment variables that are sources of secrets: see `Config.secretVariables`.
  var secretVariables: Set<String> { variables.withLock { $0 } }

  /// Returns the rules for pushes to a job; nil if the config has none.
  func push(to name: JobName) -> PushSettings? { pushes.withLock { $0[name] } }

  /// Whether the config has the job and lets it subscribe at hubs.
  func mayUseWebSub(_ name: JobName) -> Bool {
    names.withLock { $0.contains(name) } && !withoutWebSub.withLock { $0.contains(name) }
  }

  func keep(_ prepared: [Job]) {
    guard keepsJobs else { return }
    kept.withLock { kept in
      kept.reserveCapacity(prepared.count)
      // A loop over the elements instead of the indices would copy each job twice.
      for index in prepared.indices { kept[prepared[index].name] = prepared[index] }
    }
  }

  /// Adds a guest, since its transfers may continue after its run.
  func adopt(_ job: Job) { kept.withLock { $0[job.name] = job } }

  /// Removes the guests for which `isWanted` returns false. Does nothing if `keepsJobs` is true.
  func forgetGuests(but isWanted: (JobName) async -> Bool) async {
    if keepsJobs { return }
    let names = kept.withLock { Array($0.keys) }
    var gone: [JobName] = []
    for name in names where await !isWanted(name) { gone.append(name) }
    // A new guest may have taken the name in the meantime.
    kept.withLock { [gone] kept in
      for name in gone where !jobs.isGuest(name) { kept[name] = nil }
    }
  }

  func job(named name: JobName) -> Job? {
    if let job = kept.withLock({ $0[name] }) { return job }
    return jobs.job(named: name)
  }

  func standing(of name: JobName) -> TransferEligibility {
    if let job = kept.withLock({ $0[name] }) { return .ready(job) }
    let (job, isHeld) = jobs.withState { state -> (Job?, Bool) in
      guard let number = state.scheduler.number(of: name) else { return (nil, false) }
      let isHeld =
        state.scheduler.pausedSince != nil || !state.scheduler[number].isEnabled
        || state.scheduler.schedule(of: number).pausedAt != nil
      return (state.jobs[number], isHeld)
    }
    if let job { return isHeld ? .held : .ready(job) }
    // In a command that runs jobs once, an unknown job may belong to another config. Another
    // process may have queued the job's transfers.
    return keepsJobs || names.withLock { $0.contains(name) } ? .held : .gone
  }
}
