import FetchModel
package import FetchStore
package import FetchValues
import Synchronization

/// The watch that notifies hooks of stale jobs while a daemon serves the jobs. The watch wakes only
/// when the next job would become stale.
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

  /// The numbers of jobs that were stale at the last check.
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

  /// Notifies hooks of stale jobs until the watch is drained or the task is cancelled.
  package func run() async {
    await loop.run(until: .stopped) {
      if loop.isDraining { return WakeLoop.Rest() }
      let next = await tellDue()
      return WakeLoop.Rest(nextAt: next.map { max($0, time.now() + Self.restMin) })
    }
  }

  /// The minimum time between two checks. A check takes long if there are many jobs.
  private static let restMin: Duration = .seconds(1)

  /// Sends the notifications that are due, and returns the time of the next check.
  package func tellDue() async -> Timestamp? {
    let now = time.now()
    // While the clock is not set, nothing is checked. `clockWasSet` then wakes the loop.
    let ages = book.isAsked && now >= StaleRule.clockMin ? jobs.ages() : []
    return await book.tellDue(ages, activeSince: noteActive(ages, now), now: now)
  }

  /// Returns the time since which each job has been active. New jobs have the present time. Jobs
  /// that are not in `ages` are removed.
  private func noteActive(_ ages: [JobAge], _ now: Timestamp) -> [JobName: Timestamp] {
    active.withLock { active in
      let known = active
      active = Dictionary(
        ages.map { ($0.job, known[$0.job] ?? now) }, uniquingKeysWith: { first, _ in first })
      return active
    }
  }
}
