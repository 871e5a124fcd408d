import FetchConfig
import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// Tells hooks of jobs that are stale, once: for a command that somebody starts again and again, such
/// as a timer, after its runs.
///
/// A job whose time has not come has shown what it can. One that is due all the same, since it waits
/// for the network or a budget, has as long from when that was first seen as one that is served has
/// from its start: see `StaleRule.catchUpMax`.
struct StaleLook: Sendable {
  let book: StaleNotifier
  let store: any Store
  let events: EventSink

  /// As the store has the jobs now.
  func tellDue(
    _ prepared: [PreparedJob], _ config: Config, local: ZoneOffsets, now: Timestamp
  ) async {
    guard book.isAsked, now >= StaleRule.clockMin else { return }
    do throws(StoreError) {
      let jobs = try await ScheduledJobs.remembered(
        prepared, config, in: store, local: local, now: now)
      let ages = jobs.ages()
      let waits = try await waits(of: ages, among: prepared.map(\.job.name), now)
      let shown = Timestamp(milliseconds: 0)
      let active = ages.map { ($0.job, waits[$0.job] ?? shown) }
      _ = await book.tellDue(
        ages, activeSince: Dictionary(active, uniquingKeysWith: { first, _ in first }), now: now)
    } catch {
      events.emit(.storeRefused(.jobAges, error))
    }
  }

  /// Since when jobs have been seen to wait for their runs, in whichever process; what is not looked
  /// at stays as it was.
  private func waits(
    of ages: [JobAge], among names: [String], _ now: Timestamp
  ) async throws(StoreError) -> [String: Timestamp] {
    let known = try await store.waits()
    let looked = Set(names.map(ExactText.init))
    var waits = known.filter { !looked.contains($0.key) }
    var times: [String: Timestamp] = [:]
    for age in ages where age.dueAt <= now {
      let since = known[ExactText(age.job)] ?? now
      times[age.job] = since
      waits[ExactText(age.job)] = since
    }
    if waits != known { try await store.setWaits(waits) }
    return times
  }
}
