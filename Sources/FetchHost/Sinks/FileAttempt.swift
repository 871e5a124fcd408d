import FetchModel
import FetchValues
import Synchronization

/// One attempt to write a file that may not answer: a network share without its server can block a
/// thread for ever. The caller waits no longer than its limit. The thread is left behind, with its
/// path's turn (`FileTurns`).
///
/// An attempt that ended before it wrote anything writes nothing later. One that ended while
/// writing may still be written, before any later attempt at the same path.
final class FileAttempt: Sendable {
  typealias Work = @Sendable (FileAttempt) -> DeliveryEnd

  private struct State {
    var isWriting = false
    var end: DeliveryEnd?
    var caller: CheckedContinuation<DeliveryEnd, Never>?
    /// The work, released as soon as no caller needs it.
    var work: Work?
  }

  private let path: String
  private let timeout: Duration
  private let state: Mutex<State>

  /// The wait of a stop for a write that has begun, since most end soon: then the next process does
  /// not write the same again.
  private static let stopDelay = Duration.seconds(2)

  init(_ path: String, timeout: Duration, work: @escaping Work) {
    self.path = path
    self.timeout = timeout
    state = Mutex(State(work: work))
  }

  var isOver: Bool { state.withLock { $0.end != nil } }

  func run(in turns: FileTurns) async -> DeliveryEnd {
    let message = "\(path) was not written within \(timeout.shortText); is its disk available?"
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

  /// Does the work when the attempt has its turn, on a thread that may wait. The end is reported
  /// after `leave`, so that the receiver finds the path free.
  func work(leave: () -> Void) {
    let work = state.withLock { state in
      defer { state.work = nil }
      return state.work
    }
    let end = work?(self)
    leave()
    if let end { finish(end) }
  }

  /// Whether it may write now; false if no caller waits for it any more.
  func beginWriting() -> Bool {
    state.withLock { state in
      state.isWriting = state.end == nil
      return state.isWriting
    }
  }

  private func cancel() {
    let cancelled = DeliveryEnd.failed(DeliveryFailure("\(path): the attempt was cancelled"))
    // The caller is cancelled, so this timer is not its child; it holds little, and not for
    // long.
    if state.withLock({ $0.isWriting }) {
      _ = timer(Self.stopDelay, cancelled)
    } else {
      finish(cancelled)
    }
  }

  private func timer(_ delay: Duration, _ end: DeliveryEnd) -> Task<Void, Never> {
    Task(executorPreference: HostExecutor.shared) { [self] in
      do { try await HostClock().sleep(for: delay) } catch { return }
      finish(end)
    }
  }

  private func finish(_ end: DeliveryEnd) {
    let caller = state.withLock { state -> CheckedContinuation<DeliveryEnd, Never>? in
      if state.end != nil { return nil }
      state.end = end
      state.work = nil
      defer { state.caller = nil }
      return state.caller
    }
    caller?.resume(returning: end)
  }
}

/// The turns at paths. Attempts at one path follow each other in order; those at different paths
/// are independent. A path that hangs holds one thread and its waiting attempts.
final class FileTurns: Sendable {
  /// Shared, because several hooks may write one file.
  static let shared = FileTurns()

  /// The waiting attempts of each path with an attempt under way.
  private let lines = Mutex<[String: [FileAttempt]]>([:])

  init() {}

  /// Does its work as soon as it is its turn, unless it has ended by then.
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

  /// Each path has its own thread: paths that hang would block the few of a shared pool.
  private func start(_ path: String, _ first: FileAttempt) {
    DedicatedThread.start("file hook") { [self] in
      var attempt: FileAttempt? = first
      while let current = attempt {
        attempt = nil
        current.work { attempt = next(path) }
      }
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
