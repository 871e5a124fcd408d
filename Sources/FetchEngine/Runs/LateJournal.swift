import FetchHost
package import FetchModel
package import FetchStore
import Synchronization

/// Writes down runs that go on for a while, many in one commit, so that a crash in the middle of them
/// is seen. Those that end before are none of its business: a commit for each costs more than all
/// else that a short run has the disk do.
package final class LateJournal: Sendable {
  /// A run is written down when it has gone on for one period, and before two are over.
  package static let period: Duration = .seconds(1)

  private struct State {
    /// Begun since the last look.
    var new: [RunID: RunRecord] = [:]
    /// Begun before it.
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

  /// Looks once in each period, until no run is left that is to be looked at.
  private func look() async {
    while (try? await clock.sleep(for: Self.period)) != nil {
      let (due, isOver) = state.withLock { state in
        let due = Array(state.slow.values)
        state.slow = state.new
        state.new = [:]
        state.isLooking = !state.slow.isEmpty
        return (due, !state.isLooking)
      }
      // What is wrong with the store the run hears when it ends.
      if !due.isEmpty { try? await store.note(due) }
      if isOver { return }
    }
  }
}

/// When a run is written down that has not ended, so that a crash in the middle of it is seen.
package enum RunJournaling: Sendable {
  case never
  /// Once it has gone on for a while: most runs have ended by then, and cost nothing more.
  case whenSlow
  /// Before it begins.
  case atOnce
}
