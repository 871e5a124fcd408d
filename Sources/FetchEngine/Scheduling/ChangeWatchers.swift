import FetchSchedule
import Synchronization

/// The clients that are notified of changes. Each client reads at its own pace.
///
/// A notification has no content, so each client reads the data itself. At most one notification
/// waits for each client, so no queue grows for a slow client.
package final class ChangeWatchers: Sendable {
  /// The notifications of one client.
  struct Watch: Sendable {
    /// A stream that yields once at the beginning and again after changes.
    let changes: AsyncStream<Void>
    fileprivate let source: AsyncStream<Void>.Continuation
    fileprivate let number: Int
  }

  private struct State {
    var watches: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastNumber = 0
    var turnCount: Int64 = 0
    var isOver = false
  }

  /// The maximum number of watches. Each watch holds a connection, and other requests also need
  /// connections.
  static let watchesMax = 8

  private let state = Mutex(State())

  package init() {}

  /// The number of calls of `statesChanged`.
  var stateChanges: Int64 { state.withLock { $0.turnCount } }

  /// Begins a watch. Returns nil if there are too many watches.
  func watch() -> Watch? {
    let (changes, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    source.yield()
    return state.withLock { state in
      guard state.watches.count < Self.watchesMax else { return nil }
      state.lastNumber += 1
      if state.isOver { source.finish() } else { state.watches[state.lastNumber] = source }
      return Watch(changes: changes, source: source, number: state.lastNumber)
    }
  }

  func unwatch(_ watch: Watch) {
    watch.source.finish()
    state.withLock { $0.watches[watch.number] = nil }
  }

  func runEnded() { notify { _ in } }

  /// Reports that the state of a job may have changed.
  func statesChanged() { notify { $0.turnCount += 1 } }

  private func notify(_ change: (inout State) -> Void) {
    let watches = state.withLock { state in
      change(&state)
      return Array(state.watches.values)
    }
    for watch in watches { watch.yield() }
  }

  /// Ends all watches. A watch that begins later ends immediately.
  func end() {
    let watches = state.withLock { state in
      state.isOver = true
      defer { state.watches = [:] }
      return Array(state.watches.values)
    }
    for watch in watches { watch.finish() }
  }
}
