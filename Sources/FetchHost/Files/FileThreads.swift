import Synchronization

/// A few threads for what waits for a disk, which Swift's own threads must not do. They end when
/// there is nothing to do.
package final class FileThreads: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var threadCount = 0
  }

  private let state = Mutex(State())

  /// A disk does not become faster by more; a mounted one that hangs holds no more than these.
  private static let countMax = 8

  package init() {}

  /// Does something that may wait. It is told whether the caller has been cancelled, for where it
  /// takes long; what it does then is done nevertheless.
  package func run<T: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) -> T
  ) async -> T {
    let isCancelled = CancelFlag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit { continuation.resume(returning: body { isCancelled.isSet }) }
      }
    } onCancel: {
      isCancelled.set()
    }
  }

  private func submit(_ work: @escaping @Sendable () -> Void) {
    let startsThread = state.withLock { state in
      state.waiting.append(work)
      guard state.threadCount < Self.countMax else { return false }
      state.threadCount += 1
      return true
    }
    if startsThread { DedicatedThread.start("files") { [self] in drain() } }
  }

  private func drain() {
    while let next = next() { next() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.threadCount -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}

/// Set once, from any thread.
private final class CancelFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}
