import Synchronization

/// A few threads for calls that may block until a disk answers. Such calls should not block Swift's
/// own threads. A thread is reused, and ends after one second without work.
package final class FileThreads: Sendable {
  /// A closure that does the work and returns another closure, which resumes the caller.
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

  /// The maximum number of threads. A disk that hangs blocks at most this number of threads.
  private static let countMax = 8
  private static let idleMax: Duration = .seconds(1)

  package init() {}

  /// Runs a call that may wait for the disk. A cancellation only sets `isCancelled`, which a long
  /// call can check; the function always waits for the end of the call. When this function returns,
  /// no thread of this object references `body`, so files that only `body` held open are closed.
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

  /// Starts work that may wait for the disk. Returns immediately.
  func start(_ body: @escaping @Sendable () -> Void) {
    submit {
      body()
      return {}
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
    guard isMissing else { return }
    let isStarted = DedicatedThread.startIfPossible("files") { [self] in serve(ExecutorThread()) }
    if !isStarted { workHere() }
  }

  /// Corrects `threadCount` after the system could not create a thread. If no other thread is left,
  /// does the waiting work on the calling thread.
  private func workHere() {
    state.withLock { $0.threadCount -= 1 }
    while let work = nextWithoutThreads() { work()() }
  }

  private func nextWithoutThreads() -> Work? {
    state.withLock { state in
      guard state.threadCount == 0, !state.waiting.isEmpty else { return nil }
      return state.waiting.removeFirst()
    }
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

  /// Does the next piece of work and releases it before the caller is resumed.
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
      // A thread whose wait timed out is still in the list of idle threads.
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

/// A flag that any thread can set and no thread can clear.
final class CancelFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

extension FileThreads {
  /// Runs a call that may wait for the disk and may throw a fault; see `run`.
  package func attempt<T: Sendable>(
    _ body: @escaping @Sendable () throws(FileFault) -> T
  ) async throws(FileFault) -> T {
    try await run { _ in Result { () throws(FileFault) in try body() } }.get()
  }

  /// Runs long work that may throw a fault; see `run`. The work can check whether the caller has
  /// been cancelled.
  func attempt<T: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws(FileFault) -> T
  ) async throws(FileFault) -> T {
    try await run { isCancelled in
      Result { () throws(FileFault) in try body(isCancelled) }
    }.get()
  }
}
