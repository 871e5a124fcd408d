import FetchHost
package import FetchModel
package import FetchStore
import Synchronization

/// The journal that stores long runs while they are under way, so that a crash during a run is
/// visible. Each check stores all new long runs in one call of the store. A shorter run without a
/// checkpoint is stored only when it ends, so that it needs no additional commit.
package final class LateJournal: Sendable {
  /// The pause before each check for long runs. A run is stored at the second check after the run
  /// has begun.
  package static let period: Duration = .seconds(1)

  /// A run in the journal.
  package final class Entry: Sendable {
    fileprivate let record: RunRecord
    fileprivate let hasEnded = Atomic(false)

    fileprivate init(_ record: RunRecord) { self.record = record }

    fileprivate var isUnderWay: Bool { !hasEnded.load(ordering: .relaxed) }

    /// Ends the run, which is then not stored early.
    package func end() { hasEnded.store(true, ordering: .relaxed) }
  }

  private struct State {
    /// The runs that began since the last check. Those that have ended stay until the next check.
    var new: [Entry] = []
    /// The runs that began between the last two checks.
    var slow: [Entry] = []
    var isLooking = false
  }

  private let store: any Store
  private let clock: any Clock<Duration>
  private let state = Mutex(State())

  package init(store: any Store, clock: any Clock<Duration>) {
    self.store = store
    self.clock = clock
  }

  /// Whether the checks take place. The checks stop after a check that leaves no run to store.
  package var isLooking: Bool { state.withLock { $0.isLooking } }

  /// Adds a run that begins. The caller must call `end` of the result when the run ends.
  package func begin(_ record: RunRecord) -> Entry {
    let entry = Entry(record)
    let isFirst = state.withLock { state in
      state.new.append(entry)
      defer { state.isLooking = true }
      return !state.isLooking
    }
    if isFirst { Task(executorPreference: HostExecutor.shared) { await self.look() } }
    return entry
  }

  /// Stores the slow runs at each check. Returns after a check that leaves no run to store.
  private func look() async {
    while (try? await clock.sleep(for: Self.period)) != nil {
      let (due, isOver) = state.withLock { state in
        let due = state.slow.filter(\.isUnderWay).map(\.record)
        state.slow = state.new.filter(\.isUnderWay)
        state.new = []
        state.isLooking = !state.slow.isEmpty
        return (due, !state.isLooking)
      }
      // If the store has a problem, each run reports the problem when it ends.
      if !due.isEmpty { try? await store.note(due) }
      if isOver { return }
    }
  }
}

/// The rule for when a run under way is stored, so that a crash during the run is visible.
package enum RunJournaling: Sendable {
  case never
  /// The run is stored at the second check of `LateJournal` after the run has begun. A run that
  /// ends earlier causes no additional commit.
  case whenSlow
  /// The run is stored before it begins.
  case atOnce
}
