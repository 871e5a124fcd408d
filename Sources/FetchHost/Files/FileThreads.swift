import Synchronization

/// A few threads for calls that wait for a disk, which Swift's own threads must not do. They end
/// after some idle time. A small file takes three pieces of work, and a thread for each would cost
/// more than the work.
package final class FileThreads: Sendable {
  /// Does the work; the returned closure resumes the caller.
  private typealias Work = @Sendable () -> Completion
  private typealias Completion = @Sendable () -> Void

  private struct State {
    var waiting: [Work] = []
    var idle: [ExecutorThread] = []
    var threadCount = 0
  }

  private enum Step {
    case work(Work)
    case wait
    case end
  }

  private enum Turn {
    case done(Completion)
    case wait
    case end
  }

  private let state = Mutex(State())

  /// More threads do not make a disk faster, and a mounted disk that hangs blocks no more than
  /// these.
  private static let countMax = 8
  private static let idleMax: Duration = .seconds(1)

  package init() {}

  /// Runs a call that may wait. `isCancelled` reports whether the caller has been cancelled, for
  /// long work; work that ignores it is completed. When this returns, no thread holds any part of
  /// `body`: a file that is open nowhere else is closed.
  package func run<T: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) -> T
  ) async -> T {
    let isCancelled = CancelFlag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit {
          let value = body { isCancelled.isSet }
          return { continuation.resume(returning: value) }
        }
      }
    } onCancel: {
      isCancelled.set()
    }
  }

  private func submit(_ work: @escaping Work) {
    let (thread, isMissing) = state.withLock { state -> (ExecutorThread?, Bool) in
      state.waiting.append(work)
      if let thread = state.idle.popLast() { return (thread, false) }
      guard state.threadCount < Self.countMax else { return (nil, false) }
      state.threadCount += 1
      return (nil, true)
    }
    thread?.wake()
    if isMissing { DedicatedThread.start("files") { [self] in serve(ExecutorThread()) } }
  }

  private func serve(_ thread: ExecutorThread) {
    var isLate = false
    while true {
      switch turn(thread, isLate: isLate) {
      case .done(let complete):
        complete()
        isLate = false
      case .wait: isLate = thread.wait(Self.idleMax)
      case .end: return
      }
    }
  }

  /// The work is done and released before its caller is resumed.
  private func turn(_ thread: ExecutorThread, isLate: Bool) -> Turn {
    switch step(thread, isLate: isLate) {
    case .work(let work): .done(work())
    case .wait: .wait
    case .end: .end
    }
  }

  /// - Parameter isLate: whether the thread has been idle so long that it may end.
  private func step(_ thread: ExecutorThread, isLate: Bool) -> Step {
    state.withLock { state in
      // A thread that was not woken is still among the idle ones.
      state.idle.removeAll { $0 === thread }
      if !state.waiting.isEmpty { return .work(state.waiting.removeFirst()) }
      if isLate {
        state.threadCount -= 1
        return .end
      }
      state.idle.append(thread)
      return .wait
    }
  }
}

/// A flag that is set once, from any thread.
private final class CancelFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

extension FileThreads {
  /// Runs a call that may wait and may fail; see `run`.
  package func attempt<T: Sendable>(
    _ body: @escaping @Sendable () throws(FileFault) -> T
  ) async throws(FileFault) -> T {
    try await run { _ in Result { () throws(FileFault) in try body() } }.get()
  }

  /// Does the same for long work, which can ask whether to continue.
  func attempt<T: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws(FileFault) -> T
  ) async throws(FileFault) -> T {
    try await run { isCancelled in
      Result { () throws(FileFault) in try body(isCancelled) }
    }.get()
  }
}
