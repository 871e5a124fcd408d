import FetchModel
package import FetchStore
package import FetchValues
import Synchronization

/// Tells hooks of jobs that are stale, while they are served: wakes when the next one would be, and
/// never else.
package final class StaleWatch: Sendable {
  private let jobs: ScheduledJobs
  private let book: StaleNotifier
  private let time: RunTime
  private let loop: WakeLoop
  /// Since when jobs may run, in this process and without a pause.
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

  /// Jobs or hooks are others now.
  package func poke() { loop.poke() }

  /// The clock was set: ages are others now.
  func clockWasSet() { loop.clockWasSet() }

  /// A job may run again, or all with nil.
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

  /// Between two looks: jobs may be many.
  private static let restMin: Duration = .seconds(1)

  /// Tells what is due, and says when to look again.
  package func tellDue() async -> Timestamp? {
    let now = time.now()
    // `clockWasSet` makes the loop look again once the clock has been set.
    let ages = book.isAsked && now >= StaleRule.clockMin ? jobs.ages() : []
    return await book.tellDue(ages, activeSince: noteActive(ages, now), now: now)
  }

  /// Those that are not looked at any more begin anew another time.
  private func noteActive(_ ages: [JobAge], _ now: Timestamp) -> [String: Timestamp] {
    active.withLock { active in
      let known = active
      active = Dictionary(
        ages.map { ($0.job, known[$0.job] ?? now) }, uniquingKeysWith: { first, _ in first })
      return active
    }
  }
}
