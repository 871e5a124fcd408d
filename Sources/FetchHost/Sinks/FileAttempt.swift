import FetchModel
import FetchValues
import Synchronization

/// One attempt to write a file that may not answer: a share whose server is gone lets a thread wait
/// in it for ever. The caller waits no longer than its limit; the thread is left to itself, and its
/// path's turn with it (`FileTurns`).
///
/// An attempt that ended before it wrote anything writes nothing later. One that ended while it wrote
/// may still be written, before any later attempt at the same path.
final class FileAttempt: Sendable {
  typealias Work = @Sendable (FileAttempt) -> DeliveryEnd

  private struct State {
    var isWriting = false
    var end: DeliveryEnd?
    var caller: CheckedContinuation<DeliveryEnd, Never>?
    /// What it holds is let go of as soon as nobody wants it.
    var work: Work?
  }

  private let path: String
  private let timeout: Duration
  private let state: Mutex<State>

  /// A write that has begun mostly ends at once: who is to stop waits for it this long, so that what
  /// was written is not written again by the next process.
  private static let stopDelay = Duration.seconds(2)

  init(_ path: String, timeout: Duration, work: @escaping Work) {
    self.path = path
    self.timeout = timeout
    state = Mutex(State(work: work))
  }

  var isOver: Bool { state.withLock { $0.end != nil } }

  func run(in turns: FileTurns) async -> DeliveryEnd {
    let message = "\(path) did not take it within \(timeout.shortText); is its disk there?"
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

  /// Called where it has its turn, on a thread that may wait; what ends it is told after `leave`, so
  /// that whoever hears of it finds the path free.
  func work(leave: () -> Void) {
    let work = state.withLock { state in
      defer { state.work = nil }
      return state.work
    }
    let end = work?(self)
    leave()
    if let end { finish(end) }
  }

  /// Whether it may write now; not where nobody waits for it any more.
  func beginWriting() -> Bool {
    state.withLock { state in
      state.isWriting = state.end == nil
      return state.isWriting
    }
  }

  private func cancel() {
    let brokenOff = DeliveryEnd.failed(DeliveryFailure("\(path): the attempt was broken off"))
    // Nothing cancels this timer, as the caller is; it holds little, and not for long.
    if state.withLock({ $0.isWriting }) {
      _ = timer(Self.stopDelay, brokenOff)
    } else {
      finish(brokenOff)
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

/// Attempts at one path go one after the other, in the order they come; those at different paths have
/// nothing to do with each other. A path that hangs holds one thread and what waits for its turn.
final class FileTurns: Sendable {
  /// Several hooks may write one file.
  static let shared = FileTurns()

  /// Those that wait, of paths at which one is at work.
  private let lines = Mutex<[String: [FileAttempt]]>([:])

  init() {}

  /// Has its work done as soon as it is its turn, unless it is over by then.
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

  /// A thread for each path: of a few that are shared, some that hang would be missed by others.
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
