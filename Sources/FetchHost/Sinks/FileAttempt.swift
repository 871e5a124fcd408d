import FetchModel
import FetchValues
import Synchronization

/// One attempt to write a file on a disk that may not answer. For example, a network share whose
/// server is down can block a thread for ever. The caller waits for at most `timeout`. After that,
/// the blocked thread remains, and later attempts at the path wait for this thread (`FileTurns`).
///
/// An attempt that timed out before it began to write never writes. An attempt that timed out while
/// writing may still complete, before any later attempt at the path.
final class FileAttempt: Sendable {
  typealias Work = @Sendable (FileAttempt) -> DeliveryEnd

  private struct State {
    var isWriting = false
    var end: DeliveryEnd?
    var caller: CheckedContinuation<DeliveryEnd, Never>?
    /// The work; nil once it has begun, or once no caller waits for it.
    var work: Work?
  }

  private let path: String
  private let timeout: Duration
  private let state: Mutex<State>

  /// The time that a cancelled attempt waits for a write that has begun. Most writes end within
  /// this time, so they are not repeated after a restart.
  private static let stopDelay = Duration.seconds(2)

  init(_ path: String, timeout: Duration, work: @escaping Work) {
    self.path = path
    self.timeout = timeout
    state = Mutex(State(work: work))
  }

  var isOver: Bool { state.withLock { $0.end != nil } }

  func run(in turns: FileTurns) async -> DeliveryEnd {
    let message = "\(path) was not written within \(timeout.shortText)"
    let timer = timer(timeout, .failed(DeliveryFailure(message)))
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        let end = state.withLock { state in
          if state.end == nil { state.caller = caller }
          return state.end
        }
        if let end { return caller.resume(returning: end) }
        turns.enter(path, self)
      }
    } onCancel: {
      cancel()
    }
  }

  /// Does the work, on a thread that may block, unless no caller waits for it any more. Call it
  /// when the path is free. Calls `leave` before it reports the end, so that the caller can write
  /// to the path again immediately.
  func work(leave: () -> Void) {
    let work = state.withLock { state in
      defer { state.work = nil }
      return state.work
    }
    let end = work?(self)
    leave()
    if let end { finish(end) }
  }

  /// Marks the attempt as writing and returns true; returns false if no caller waits for the
  /// attempt any more.
  func beginWriting() -> Bool {
    state.withLock { state in
      state.isWriting = state.end == nil
      return state.isWriting
    }
  }

  /// Reports that no thread could be created for the attempt.
  func refuse() {
    finish(.failed(DeliveryFailure("\(path) was not written: \(DedicatedThread.refusal)")))
  }

  private func cancel() {
    let cancelled = DeliveryEnd.failed(DeliveryFailure("\(path): the attempt was cancelled"))
    // The timer is not a child of the caller's task, because that task is cancelled. The timer ends
    // after two seconds.
    if !finish(cancelled, unlessWriting: true) { _ = timer(Self.stopDelay, cancelled) }
  }

  private func timer(_ delay: Duration, _ end: DeliveryEnd) -> Task<Void, Never> {
    Task(executorPreference: HostExecutor.shared) { [self] in
      do { try await HostClock().sleep(for: delay) } catch { return }
      finish(end)
    }
  }

  /// Reports the end to the caller, unless an end was reported before. With `unlessWriting`, does
  /// nothing and returns false if the attempt has begun to write and has not ended.
  @discardableResult
  private func finish(_ end: DeliveryEnd, unlessWriting: Bool = false) -> Bool {
    // One lock covers the check and the end, so that the write cannot begin between them.
    let (isOver, caller) = state.withLock {
      state -> (Bool, CheckedContinuation<DeliveryEnd, Never>?) in
      if state.end != nil { return (true, nil) }
      if unlessWriting, state.isWriting { return (false, nil) }
      state.end = end
      state.work = nil
      defer { state.caller = nil }
      return (true, state.caller)
    }
    caller?.resume(returning: end)
    return isOver
  }
}

/// The queues of attempts by path. Attempts at one path run one after the other, in order. Attempts
/// at different paths are independent. A path that does not answer blocks one thread and its own
/// queue.
final class FileTurns: Sendable {
  /// The queues of this process. They are shared because several hooks may write to one file.
  static let shared = FileTurns()

  /// The waiting attempts of each path that has an attempt under way.
  private let lines = Mutex<[String: [FileAttempt]]>([:])

  init() {}

  /// Runs the attempt after the earlier attempts at the path. Skips it if it has timed out or was
  /// cancelled before its turn.
  func enter(_ path: String, _ attempt: FileAttempt) {
    let isFree = lines.withLock { lines in
      guard var line = lines[path] else {
        lines[path] = []
        return true
      }
      line.removeAll(where: \.isOver)
      lines[path] = line + [attempt]
      return false
    }
    if isFree { start(path, attempt) }
  }

  /// Starts a thread for the path. Each path has its own thread, because paths that do not answer
  /// would block all threads of a shared pool.
  private func start(_ path: String, _ first: FileAttempt) {
    let isStarted = DedicatedThread.startIfPossible("file hook") { [self] in
      var attempt: FileAttempt? = first
      while let current = attempt {
        attempt = nil
        current.work { attempt = next(path) }
      }
    }
    var refused = isStarted ? nil : first
    while let current = refused {
      refused = next(path)
      current.refuse()
    }
  }

  private func next(_ path: String) -> FileAttempt? {
    lines.withLock { lines in
      var line = lines[path] ?? []
      line.removeAll(where: \.isOver)
      let next = line.isEmpty ? nil : line.removeFirst()
      lines[path] = next == nil ? nil : line
      return next
    }
  }
}
