import FetchHost
import FetchModel
package import FetchStore
import Synchronization

/// Tells hooks of jobs that are stale, while they are served: wakes when the next one would be, and
/// never else.
package final class StaleWatch: Sendable {
  private let jobs: ScheduledJobs
  private let hooks: HookBook
  private let store: SQLiteStore
  private let time: RunTime
  private let clock: any Clock<Duration>
  private let logger: @Sendable (String) -> Void
  /// Called when deliveries were written.
  private let onDeliveries: @Sendable () -> Void
  private let pokes: AsyncStream<Void>
  private let poker: AsyncStream<Void>.Continuation
  private let timer = Mutex<Task<Void, Never>?>(nil)
  private let isDraining = Atomic(false)
  /// What was told in this process, and since when that holds: the store need not be asked again.
  private let told = Mutex<[String: Timestamp]>([:])
  /// When jobs were first looked at that had not gone well, or had no news, by then.
  private let seen = Mutex<[String: Timestamp]>([:])

  package init(
    jobs: ScheduledJobs, hooks: HookBook, store: SQLiteStore, time: RunTime,
    clock: any Clock<Duration>, logger: @escaping @Sendable (String) -> Void,
    onDeliveries: @escaping @Sendable () -> Void
  ) {
    self.jobs = jobs
    self.hooks = hooks
    self.store = store
    self.time = time
    self.clock = clock
    self.logger = logger
    self.onDeliveries = onDeliveries
    (pokes, poker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Jobs or hooks are others now.
  package func poke() { poker.yield() }

  package func drain() {
    isDraining.store(true, ordering: .relaxed)
    poke()
  }

  package func run() async {
    await withTaskCancellationHandler {
      poke()
      for await _ in pokes {
        if isDraining.load(ordering: .relaxed) { break }
        setTimer(for: await tellAll())
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

  /// When the next job would be stale.
  private func tellAll() async -> Timestamp? {
    let hooks = hooks.all.filter { $0.events.contains(.stale) }
    if hooks.isEmpty { return nil }
    let ages = jobs.ages()
    let now = time.now()
    var next: Timestamp?
    for hook in hooks {
      // All hooks have a wake that is no later than what a first success would give.
      for age in ages where hook.scope.includes(job: age.job, plugin: age.plugin) {
        let tellings = StaleRule.tellings(
          hook, lastSuccessAt: age.lastSuccessAt ?? firstSeen(age.job, now),
          lastNewDataAt: age.lastNewDataAt ?? firstSeen(age.job, now))
        for telling in tellings {
          if telling.at > now {
            next = min(next ?? telling.at, telling.at)
          } else {
            await tell(telling, hook, age.job, now)
          }
        }
      }
    }
    return next
  }

  private func firstSeen(_ job: String, _ now: Timestamp) -> Timestamp {
    seen.withLock { seen in
      let first = seen[job] ?? now
      seen[job] = first
      return first
    }
  }

  private func tell(
    _ telling: StaleRule.Telling, _ hook: HookConfig, _ job: String, _ now: Timestamp
  ) async {
    let name = "stale \(telling.what.rawValue) \(hook.name) \(job)"
    if told.withLock({ $0[name] == telling.since }) { return }
    let id = RunID(startedAt: now, random: (time.random(), time.random()))
    let delivery = StaleRule.delivery(telling, of: hook, job: job, id: id, now: now)
    let mark = withUnsafeBytes(of: telling.since.milliseconds.littleEndian) { Array($0) }
    do throws(StoreError) {
      if try await store.add(delivery, mark: mark, named: name) { onDeliveries() }
      told.withLock { $0[name] = telling.since }
    } catch {
      logger("hook '\(hook.name)': \(error.message)")
    }
  }
}
