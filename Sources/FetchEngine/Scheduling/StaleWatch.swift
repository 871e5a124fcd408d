import FetchHost
import FetchModel
package import FetchStoreSQLite
package import FetchValues
import Synchronization

/// Tells hooks of jobs that are stale, while they are served: wakes when the next one would be, and
/// never else.
package final class StaleWatch: Sendable {
  private let jobs: ScheduledJobs
  private let book: StaleBook
  private let time: RunTime
  private let clock: any Clock<Duration>
  private let pokes: AsyncStream<Void>
  private let poker: AsyncStream<Void>.Continuation
  private let timer = Mutex<Task<Void, Never>?>(nil)
  private let isDraining = Atomic(false)
  /// Since when jobs may run, in this process and without a pause.
  private let active = Mutex<[String: Timestamp]>([:])

  init(jobs: ScheduledJobs, book: StaleBook, time: RunTime, clock: any Clock<Duration>) {
    self.jobs = jobs
    self.book = book
    self.time = time
    self.clock = clock
    (pokes, poker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package convenience init(
    jobs: ScheduledJobs, hooks: HookBook, store: SQLiteStore, time: RunTime,
    clock: any Clock<Duration>, logger: @escaping @Sendable (String) -> Void,
    onDeliveries: @escaping @Sendable () -> Void
  ) {
    let book = StaleBook(
      hooks: hooks, store: store, time: time, logger: logger, onDeliveries: onDeliveries)
    self.init(jobs: jobs, book: book, time: time, clock: clock)
  }

  /// Jobs or hooks are others now.
  package func poke() { poker.yield() }

  /// A job may run again, or all with nil.
  package func resumed(_ job: String?) {
    active.withLock { active in
      if let job { active[job] = nil } else { active = [:] }
    }
    poke()
  }

  package func drain() {
    isDraining.store(true, ordering: .relaxed)
    poke()
  }

  package func run() async {
    await withTaskCancellationHandler {
      poke()
      for await _ in pokes {
        if isDraining.load(ordering: .relaxed) { break }
        setTimer(for: await tellDue())
      }
    } onCancel: {
      drain()
    }
    timer.withLock { $0?.cancel() }
  }

  private func setTimer(for wake: Timestamp?) {
    let clock = clock
    timer.withLock { timer in
      timer?.cancel()
      timer = wake.map { wake in
        Task(executorPreference: HostExecutor.shared) { [self] in
          do { try await clock.sleep(for: max(wake - time.now(), Self.restMin)) } catch { return }
          poke()
        }
      }
    }
  }

  /// Between two looks: jobs may be many.
  private static let restMin: Duration = .seconds(1)

  /// Tells what is due, and says when to look again.
  package func tellDue() async -> Timestamp? {
    let now = time.now()
    // Who sets the clock pokes.
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
