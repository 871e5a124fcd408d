import FetchModel
import Synchronization

/// The states of a partial file that are stored while its bytes arrive. If states arrive faster than
/// they can be stored, only the newest one is stored.
final class TransferKeeper: Sendable {
  private struct State {
    var next: PartialDownload?
    /// The task that stores the states; nil if it has nothing to store.
    var task: Task<Void, Never>?
  }

  private let file: PartialFile
  private let setup: TransferAttempt.Setup
  private let state = Mutex(State())

  init(_ file: PartialFile, _ setup: TransferAttempt.Setup) {
    self.file = file
    self.setup = setup
  }

  /// Begins to store a state. Returns immediately.
  func keep(_ download: PartialDownload) {
    state.withLock { state in
      state.next = download
      guard state.task == nil else { return }
      state.task = Task(executorPreference: HostExecutor.shared) { [self] in
        while let next = takeNext() { await TransferFetch.keep(next, file, setup) }
      }
    }
  }

  private func takeNext() -> PartialDownload? {
    state.withLock { state in
      defer { state.next = nil }
      if state.next == nil { state.task = nil }
      return state.next
    }
  }

  /// Waits until the newest state is stored. No state may arrive afterwards.
  func finish() async { await state.withLock(\.task)?.value }
}
