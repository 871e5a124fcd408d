import FetchHost
package import FetchModel
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
  /// When jobs were first looked at that had not gone well, or had no news, by then: as the store
  /// has it.
  private let seen = Mutex<[String: Timestamp]>([:])
  /// Since when jobs may run, in this process and without a pause.
  private let active = Mutex<[String: Timestamp]>([:])

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
    let hooks = hooks.all.filter { $0.events.contains(.stale) }
    let ages = hooks.isEmpty ? [] : jobs.ages()
    let now = time.now()
    let begun = noteActive(ages, now)
    let first = await firstSeen(ages, hooks, now)
    var next: Timestamp?
    for hook in hooks {
      for age in ages where hook.scope.includes(job: age.job, plugin: age.plugin) {
        let seenAt = first[age.job] ?? now
        let tellings = StaleRule.tellings(
          hook, lastSuccessAt: age.lastSuccessAt ?? seenAt,
          lastNewDataAt: age.lastNewDataAt ?? seenAt, activeSince: begun[age.job] ?? now)
        for telling in tellings {
          var lookAt = telling.at
          if telling.at <= now {
            await tell(telling, hook, age.job, now)
            // It may recover at once, which nobody tells us.
            lookAt = now + telling.after
          }
          next = min(next ?? lookAt, lookAt)
        }
      }
    }
    return next
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

  /// Since when jobs are known that have not gone well, or had no news: kept in the store, as a
  /// restart makes nothing younger.
  private func firstSeen(
    _ ages: [JobAge], _ hooks: [HookConfig], _ now: Timestamp
  ) async -> [String: Timestamp] {
    let needsSuccess = hooks.contains { $0.staleAfter != nil }
    let needsNews = hooks.contains { $0.quietAfter != nil }
    let known = seen.withLock { $0 }
    let new = ages.filter {
      (needsSuccess && $0.lastSuccessAt == nil || needsNews && $0.lastNewDataAt == nil)
        && known[$0.job] == nil
    }.map(\.job)
    if new.isEmpty { return known }
    do throws(StoreError) {
      let marks = try await store.ledgerEntries(
        new.map { "stale seen \($0)" }, unlessThere: Self.mark(now))
      return seen.withLock { seen in
        for (job, mark) in zip(new, marks) { seen[job] = Self.time(mark) ?? now }
        return seen
      }
    } catch {
      logger("jobs cannot be watched: \(error.message)")
      return known
    }
  }

  private static func mark(_ time: Timestamp) -> [UInt8] {
    withUnsafeBytes(of: time.milliseconds.littleEndian) { Array($0) }
  }

  private static func time(_ mark: [UInt8]) -> Timestamp? {
    guard mark.count == 8 else { return nil }
    let bits = mark.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Timestamp(milliseconds: Int64(bitPattern: bits))
  }

  private func tell(
    _ telling: StaleRule.Telling, _ hook: HookConfig, _ job: String, _ now: Timestamp
  ) async {
    let name = "stale \(telling.what.rawValue) \(hook.name) \(job)"
    if told.withLock({ $0[name] == telling.since }) { return }
    let id = RunID(startedAt: now, random: (time.random(), time.random()))
    let delivery = StaleRule.delivery(telling, of: hook, job: job, id: id, now: now)
    do throws(StoreError) {
      if try await store.add(delivery, mark: Self.mark(telling.since), named: name) {
        onDeliveries()
      }
      told.withLock { $0[name] = telling.since }
    } catch {
      logger("hook '\(hook.name)': \(error.message)")
    }
  }
}
