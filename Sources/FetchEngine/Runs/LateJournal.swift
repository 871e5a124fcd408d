import FetchHost
package import FetchModel
package import FetchStore
import Synchronization

/// The journal that stores long runs while they are under way, many in one commit, so that a crash
/// in the middle is visible. Shorter runs are not stored early: a commit for each costs more than
/// all other disk work of a short run.
package final class LateJournal: Sendable {
  /// A run is stored after it has lasted one period, and before it has lasted two.
  package static let period: Duration = .seconds(1)

  private struct State {
    /// The runs that began since the last look.
    var new: [RunID: RunRecord] = [:]
    /// The runs that began before it.
    var slow: [RunID: RunRecord] = [:]
    var isLooking = false
  }

  private let store: any Store
  private let clock: any Clock<Duration>
  private let state = Mutex(State())

  package init(store: any Store, clock: any Clock<Duration>) {
    self.store = store
    self.clock = clock
  }

  /// Whether there are runs that may be slow.
  package var isLooking: Bool { state.withLock { $0.isLooking } }

  package func begin(_ record: RunRecord) {
    let isFirst = state.withLock { state in
      state.new[record.run] = record
      defer { state.isLooking = true }
      return !state.isLooking
    }
    guard isFirst else { return }
    Task(executorPreference: HostExecutor.shared) { await self.look() }
  }

  package func end(_ run: RunID) {
    state.withLock { state in
      if state.new.removeValue(forKey: run) == nil { state.slow[run] = nil }
    }
  }

  /// Looks once in each period until no run is left to watch.
  private func look() async {
    while (try? await clock.sleep(for: Self.period)) != nil {
      let (due, isOver) = state.withLock { state in
        let due = Array(state.slow.values)
        state.slow = state.new
        state.new = [:]
        state.isLooking = !state.slow.isEmpty
        return (due, !state.isLooking)
      }
      // A problem of the store is reported to the run when it ends.
      if !due.isEmpty { try? await store.note(due) }
      if isOver { return }
    }
  }
}

/// When a run under way is stored, so that a crash in the middle is visible.
package enum RunJournaling: Sendable {
  case never
  /// Once it has lasted a while: most runs have ended by then and cost nothing more.
  case whenSlow
  /// Before it begins.
  case atOnce
}
