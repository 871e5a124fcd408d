import CHost
import FetchValues
import Glibc
import Synchronization

/// The messages to the pool's thread, in the order of their arrival.
final class PoolMailbox: Sendable {
  enum Letter: Sendable {
    case submit(ActiveRun)
    case inspect(Inspection)
    case answer(run: UInt64, call: Int, HostCallAnswer)
    case cancel(run: UInt64)
    /// The worker sent bytes that are not an encoded value, so it cannot be trusted.
    case distrust(worker: UInt64)
    case setLockdown(WorkerPoolConfiguration.Lockdown)
    case report(@Sendable ([WorkerStatus]) -> Void)
    case shutDown(@Sendable () -> Void)
  }

  private struct State {
    var letters: [Letter] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  /// Readable while there are letters.
  let descriptor: Int32

  init() { descriptor = wake_descriptor() }
  deinit { Glibc.close(descriptor) }

  /// Posts a letter; returns false, and does not take it, if the pool is shut down.
  @discardableResult
  func post(_ letter: Letter) -> Bool {
    let (isTaken, isFirst) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.letters.append(letter)
      return (true, state.letters.count == 1)
    }
    if isFirst { ring() }
    return isTaken
  }

  private func ring() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Takes all letters so far.
  func take() -> [Letter] {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    return state.withLock { state in
      var letters: [Letter] = []
      swap(&letters, &state.letters)
      return letters
    }
  }

  /// Refuses further letters and returns the earlier ones.
  func close() -> [Letter] {
    state.withLock { state in
      state.isClosed = true
      defer { state.letters = [] }
      return state.letters
    }
  }
}
