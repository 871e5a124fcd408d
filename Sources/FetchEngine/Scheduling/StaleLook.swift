import FetchConfig
import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// One round of notifications about stale jobs, for a command that is started repeatedly, for
/// example by a timer. The command makes the round after its runs.
///
/// A job that is not due was able to run, and has no grace time. A job that is due but waits for
/// the network or a budget has the same grace time as in a daemon. The grace time begins when the
/// wait is first noticed: see `StaleRule.catchUpMax`.
struct StaleLook: Sendable {
  let book: StaleNotifier
  let store: any Store
  let events: EventSink

  /// Notifies hooks of jobs that are stale in the present state of the store.
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

  /// Returns the time at which each job was first seen to be waiting for its run, by any process.
  /// Stores new times. The stored times of other jobs stay unchanged.
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
