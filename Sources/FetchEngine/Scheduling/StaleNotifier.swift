import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// The notifier that reports stale jobs to hooks. The notifier records in the store which job was
/// reported to which hook. Each notification is therefore sent only once, by the first process that
/// finds the job stale.
final class StaleNotifier: Sendable {
  private let hooks: HookRegistry
  private let store: any Store
  private let time: RunTime
  private let events: EventSink
  private let onDeliveries: @Sendable () -> Void
  /// The notifications that this process has recorded or found in the store, each with its
  /// `StaleRule.Notification.since`. The store need not be read again for these notifications.
  private let told = Mutex<[String: Timestamp]>([:])
  /// The stored time at which each job without a success or without new data was first noticed.
  private let seen = Mutex<[JobName: Timestamp]>([:])

  init(
    hooks: HookRegistry, store: any Store, time: RunTime,
    events: EventSink, onDeliveries: @escaping @Sendable () -> Void
  ) {
    self.hooks = hooks
    self.store = store
    self.time = time
    self.events = events
    self.onDeliveries = onDeliveries
  }

  private var asking: [HookConfig] { hooks.all.filter { $0.events.contains(.stale) } }

  /// The jobs that were stale at the last check, grouped by what they lacked. A job is included
  /// only if at least one hook asks for notifications about it.
  private let stale = Mutex<[StaleRule.What: Set<JobName>]>([:])

  var counts: StaleCounts {
    stale.withLock { stale in
      var counts = StaleCounts()
      counts.success = stale[.success]?.count ?? 0
      counts.newData = stale[.newData]?.count ?? 0
      return counts
    }
  }

  /// Whether any hook receives notifications about stale jobs.
  var isAsked: Bool { !asking.isEmpty }

  /// Sends the notifications that are due, and returns the time of the next check; nil if there is
  /// none.
  ///
  /// - Parameter activeSince: the time since which each job has been active: see
  ///   `StaleRule.notifications`.
  func tellDue(
    _ ages: [JobAge], activeSince: [JobName: Timestamp], now: Timestamp
  ) async -> Timestamp? {
    let hooks = asking
    let first = await firstSeen(ages, hooks, now)
    var next: Timestamp?
    var stale: [StaleRule.What: Set<JobName>] = [:]
    for hook in hooks {
      for age in ages where hook.scope.includes(job: age.job, plugin: age.plugin) {
        let seenAt = first[age.job] ?? now
        let notifications = StaleRule.notifications(
          hook, lastSuccessAt: age.lastSuccessAt ?? seenAt,
          lastNewDataAt: age.lastNewDataAt ?? seenAt, activeSince: activeSince[age.job] ?? now)
        for notification in notifications {
          var lookAt = notification.at
          if notification.at <= now {
            stale[notification.what, default: []].insert(age.job)
            await tell(notification, hook, age.job, now)
            // The stale job is checked again, since no event reports that a job has recovered.
            lookAt = now + notification.after
          }
          next = min(next ?? lookAt, lookAt)
        }
      }
    }
    let found = stale
    self.stale.withLock { $0 = found }
    return next
  }

  /// Returns the known times at which jobs without a success or without new data were first
  /// noticed. The times are in the store, so that they survive a restart.
  private func firstSeen(
    _ ages: [JobAge], _ hooks: [HookConfig], _ now: Timestamp
  ) async -> [JobName: Timestamp] {
    let needsSuccess = hooks.contains { $0.staleAfter != nil }
    let needsNews = hooks.contains { $0.quietAfter != nil }
    let known = seen.withLock { $0 }
    let new = ages.filter {
      (needsSuccess && $0.lastSuccessAt == nil || needsNews && $0.lastNewDataAt == nil)
        && known[$0.job] == nil
    }.map(\.job)
    if new.isEmpty { return known }
    do throws(StoreError) {
      let times = try await store.firstSeen(new, now: now)
      return seen.withLock { seen in
        seen.merge(times) { $1 }
        return seen
      }
    } catch {
      events.emit(.storeRefused(.jobAges, error))
      return known
    }
  }

  private func tell(
    _ notification: StaleRule.Notification, _ hook: HookConfig, _ job: JobName, _ now: Timestamp
  ) async {
    let name = "stale \(notification.what.rawValue) \(hook.name) \(job)"
    if told.withLock({ $0[name] == notification.since }) { return }
    let id = RunID(startedAt: now, random: (time.random(), time.random()))
    let delivery = StaleRule.delivery(notification, of: hook, job: job, id: id, now: now)
    do throws(StoreError) {
      if try await store.notifyStale(delivery, what: notification.what, since: notification.since) {
        onDeliveries()
      }
      told.withLock { $0[name] = notification.since }
    } catch {
      events.emit(.storeRefused(.hook(hook.name), error))
    }
  }
}
