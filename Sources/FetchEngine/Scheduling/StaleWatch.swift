import FetchConfig
import FetchHost
import FetchModel
package import FetchStore
package import FetchValues
import Synchronization

/// The watch that notifies hooks about stale jobs while a daemon serves the jobs. The watch wakes
/// only when the next check is due, or when jobs, hooks or the clock have changed.
package final class StaleWatch: Sendable {
  private let jobs: ScheduledJobs
  private let book: StaleNotifier
  private let time: RunTime
  private let loop: WakeLoop
  /// The time since which this process has served each job without a pause.
  private let active = Mutex<[JobName: Timestamp]>([:])

  init(jobs: ScheduledJobs, book: StaleNotifier, time: RunTime, clock: any Clock<Duration>) {
    self.jobs = jobs
    self.book = book
    self.time = time
    loop = WakeLoop(now: time.now, clock: clock)
  }

  package convenience init(
    jobs: ScheduledJobs, hooks: HookRegistry, store: any Store, time: RunTime,
    clock: any Clock<Duration>, events: EventSink,
    onDeliveries: @escaping @Sendable () -> Void
  ) {
    let book = StaleNotifier(
      hooks: hooks, store: store, time: time, events: events, onDeliveries: onDeliveries)
    self.init(jobs: jobs, book: book, time: time, clock: clock)
  }

  var counts: StaleCounts { book.counts }

  /// Reports that jobs or hooks have changed.
  package func poke() { loop.poke() }

  /// Checks the jobs again. Call this function after the wall clock was changed, which changes all
  /// ages.
  func clockWasSet() { loop.clockWasSet() }

  /// Reports that a job may run again. Nil means all jobs.
  package func resumed(_ job: JobName?) {
    active.withLock { active in
      if let job { active[job] = nil } else { active = [:] }
    }
    poke()
  }

  /// Ends `run` when its present check has ended.
  package func drain() { loop.drain() }

  /// Notifies hooks about stale jobs until the watch is drained or the task is cancelled.
  package func run() async {
    await loop.run(until: .stopped) {
      if loop.isDraining { return WakeLoop.Rest() }
      let next = await tellDue()
      return WakeLoop.Rest(nextAt: next.map { max($0, time.now() + Self.restMin) })
    }
  }

  /// The minimum delay from a check to the next planned check. Changes cause earlier checks.
  private static let restMin: Duration = .seconds(1)

  /// Sends the notifications that are due, and returns the time of the next check; nil if there is
  /// none.
  package func tellDue() async -> Timestamp? {
    let now = time.now()
    // While the clock is not set, nothing is checked. When the clock is set, `clockWasSet` wakes
    // the loop.
    let ages = book.isAsked && now >= StaleRule.clockMin ? jobs.ages() : []
    return await book.tellDue(ages, activeSince: noteActive(ages, now), now: now)
  }

  /// Updates `active`, and returns the time since which each job in `ages` has been active. For a
  /// new job, this time is `now`. Jobs that are not in `ages` are removed from `active`.
  private func noteActive(_ ages: [JobAge], _ now: Timestamp) -> [JobName: Timestamp] {
    active.withLock { active in
      let known = active
      active = Dictionary(
        ages.map { ($0.job, known[$0.job] ?? now) }, uniquingKeysWith: { first, _ in first })
      return active
    }
  }
}

/// One round of notifications about stale jobs, for a command that is started repeatedly, for
/// example by a timer. The command makes the round after its runs.
///
/// A job that is not due has no grace time, since it was able to run. The grace time of a due job
/// begins when its wait is first noticed: see `StaleRule.catchUpMax`.
struct StaleLook: Sendable {
  let book: StaleNotifier
  let store: any Store
  let events: EventSink

  /// Notifies hooks about jobs that are stale in the present state of the store.
  func tellDue(
    _ prepared: [Job], _ config: Config, local: ZoneOffsets, now: Timestamp
  ) async {
    guard book.isAsked, now >= StaleRule.clockMin else { return }
    do throws(StoreError) {
      let jobs = try await ScheduledJobs.remembered(
        prepared, config, in: store, local: local, now: now)
      let ages = jobs.ages()
      let waits = try await waits(of: ages, among: prepared.map(\.name), now)
      let shown = Timestamp(milliseconds: 0)
      let active = ages.map { ($0.job, waits[$0.job] ?? shown) }
      _ = await book.tellDue(
        ages, activeSince: Dictionary(active, uniquingKeysWith: { first, _ in first }), now: now)
    } catch {
      events.emit(.storeRefused(.jobAges, error))
    }
  }

  /// Returns the times at which a process first noticed that the due jobs were waiting for their
  /// runs. Stores new times. Removes the stored times of the jobs in `names` that no longer wait.
  private func waits(
    of ages: [JobAge], among names: [JobName], _ now: Timestamp
  ) async throws(StoreError) -> [JobName: Timestamp] {
    let known = try await store.waits()
    let looked = Set(names)
    var waits = known.filter { !looked.contains($0.key) }
    var times: [JobName: Timestamp] = [:]
    for age in ages where age.dueAt <= now {
      let since = known[age.job] ?? now
      times[age.job] = since
      waits[age.job] = since
    }
    if waits != known { try await store.setWaits(waits) }
    return times
  }
}

/// The times of a job's last success and last new data. If the job has never succeeded, its first
/// failure counts as the last success.
struct JobAge: Sendable {
  var job: JobName
  var plugin: PluginName
  var lastSuccessAt: Timestamp?
  var lastNewDataAt: Timestamp?
  /// The due time of the job's next run.
  var dueAt: Timestamp
}
