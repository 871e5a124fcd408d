import FetchConfig
import FetchHost
import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchValues

/// Tells hooks of jobs that are stale, once: for a command that somebody starts again and again, such
/// as a timer, after its runs.
///
/// A job whose time has not come has shown what it can. One that is due all the same, since it waits
/// for the network or a budget, has as long from when that was first seen as one that is served has
/// from its start: see `StaleRule.catchUpMax`.
struct StaleLook: Sendable {
  let book: StaleBook
  let store: SQLiteStore
  let events: EventSink

  private static let waitsName = "stale waits"

  /// As the store has the jobs now.
  func tellDue(
    _ prepared: [PreparedJob], _ config: Config, local: ZoneOffsets, now: Timestamp
  ) async {
    guard book.isAsked, now >= StaleRule.clockMin else { return }
    do throws(StoreError) {
      let jobs = try ScheduledJobs.remembered(
        prepared, config, in: store.reader, local: local, now: now)
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
    let kept = try store.reader.ledgerEntry(Self.waitsName) ?? []
    let known = (try? Value(encoded: kept))?.objectValue ?? ValueObject()
    var waits = ValueObject()
    let looked = Set(names.map(ExactText.init))
    for member in known.members where !looked.contains(ExactText(member.key)) {
      waits.append(member.key, member.value)
    }
    var times: [String: Timestamp] = [:]
    for age in ages where age.dueAt <= now {
      let since = known[age.job]?.integerValue ?? now.milliseconds
      times[age.job] = Timestamp(milliseconds: since)
      waits.append(age.job, .integer(since))
    }
    guard waits != known else { return times }
    var memory = SchedulerMemory()
    memory.ledger[Self.waitsName] = Value.object(waits).encoded
    try await store.remember(memory)
    return times
  }
}
