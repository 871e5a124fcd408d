import FetchModel
package import FetchStore
package import FetchValues
import Synchronization

/// The watch that notifies hooks of stale jobs while a daemon serves the jobs: it wakes only when
/// the next job would become stale.
package final class StaleWatch: Sendable {
  private let jobs: ScheduledJobs
  private let book: StaleNotifier
  private let time: RunTime
  private let loop: WakeLoop
  /// The time since which each job may run, in this process and without a pause.
  private let active = Mutex<[String: Timestamp]>([:])

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

  /// Reports that jobs or hooks have changed.
  package func poke() { loop.poke() }

  /// Call after the wall clock was changed, which changes all ages.
  func clockWasSet() { loop.clockWasSet() }

  /// Reports that a job may run again; nil for all jobs.
  package func resumed(_ job: String?) {
    active.withLock { active in
      if let job { active[job] = nil } else { active = [:] }
    }
    poke()
  }

  /// Ends `run`.
  package func drain() { loop.drain() }

  /// Notifies hooks of stale jobs until it is drained or its task is cancelled.
  package func run() async {
    await loop.run(until: .stopped) {
      if loop.isDraining { return WakeLoop.Rest() }
      let next = await tellDue()
      return WakeLoop.Rest(nextAt: next.map { max($0, time.now() + Self.restMin) })
    }
  }

  /// The minimum time between two looks: there may be many jobs.
  private static let restMin: Duration = .seconds(1)

  /// Sends the notifications that are due, and returns when to look again.
  package func tellDue() async -> Timestamp? {
    let now = time.now()
    // `clockWasSet` makes the loop look again once the clock has been set.
    let ages = book.isAsked && now >= StaleRule.clockMin ? jobs.ages() : []
    return await book.tellDue(ages, activeSince: noteActive(ages, now), now: now)
  }

  /// Notes since when each job is active; a job that is left out loses its time.
  private func noteActive(_ ages: [JobAge], _ now: Timestamp) -> [String: Timestamp] {
    active.withLock { active in
      let known = active
      active = Dictionary(
        ages.map { ($0.job, known[$0.job] ?? now) }, uniquingKeysWith: { first, _ in first })
      return active
    }
  }
}
