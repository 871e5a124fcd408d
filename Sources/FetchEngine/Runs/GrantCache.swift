import FetchModel
import FetchValues
import Synchronization

/// Jobs that wait for their user's word, and those that do not, as was found when they were last
/// looked at: what need not be read from the store again.
final class GrantCache: Sendable {
  private struct State {
    var held: Set<ExactText> = []
    /// With the plugin file that may run.
    var admitted: [ExactText: [UInt8]] = [:]
  }

  private let state = Mutex(State())

  func isHeld(_ job: String) -> Bool { state.withLock { $0.held.contains(ExactText(job)) } }

  func isAdmitted(_ job: Job) -> Bool {
    state.withLock { $0.admitted[ExactText(job.name)] == job.plugin.source.contentHash }
  }

  /// Whether that ends a wait.
  @discardableResult
  func note(_ job: Job, _ decision: GrantDecision) -> Bool {
    // What need not be asked is not remembered: there may be many.
    guard job.holdsToGrant else { return false }
    let name = ExactText(job.name)
    return state.withLock { state in
      if decision.isRun { return state.held.remove(name) != nil }
      state.admitted[name] = nil
      state.held.insert(name)
      return false
    }
  }

  func admit(_ job: Job) {
    state.withLock { $0.admitted[ExactText(job.name)] = job.plugin.source.contentHash }
  }

  /// The user has spoken: it is looked at anew.
  func forget(_ job: String) {
    state.withLock { state in
      state.held.remove(ExactText(job))
      state.admitted[ExactText(job)] = nil
    }
  }
}
