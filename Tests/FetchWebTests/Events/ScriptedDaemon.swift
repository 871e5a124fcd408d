import FetchEngine
import FetchTestSupport
import FetchValues
import Synchronization

@testable import FetchWeb

/// A daemon whose notifications and status lines the test sends. The daemon counts its requests.
final class ScriptedDaemon: Sendable {
  private struct State {
    var watches: [Int: @Sendable (Value) -> Void] = [:]
    var ends: [Int: CheckedContinuation<Void, Never>] = [:]
    var watchCount = 0
    var statusCount = 0
    var lines: [String: Value] = [:]
    var statusFailure: ControlEnd?
    var duringStatus: @Sendable () -> Void = {}
    var isStopped = false
    var last: Value?
  }

  private let state = Mutex(State())

  var watchCount: Int { state.withLock { $0.watchCount } }
  var openWatchCount: Int { state.withLock { $0.watches.count } }
  var statusCount: Int { state.withLock { $0.statusCount } }

  func setState(_ job: String, _ word: String) {
    state.withLock { $0.lines[job] = ["job": .string(job), "state": .string(word), "why": ""] }
  }

  /// Makes requests for status lines end with the given end from now on. With nil, they succeed
  /// again. The daemon calls `during` before each end.
  func failStates(_ end: ControlEnd?, during: @escaping @Sendable () -> Void = {}) {
    state.withLock { ($0.statusFailure, $0.duringStatus) = (end, during) }
  }

  /// Sends a notification to all watches.
  func notify(items: Int64, ended: Int64, states: Int64 = 0) {
    let value = WatchLine(items: items, ended: ended, states: states).value
    let watches = state.withLock { state in
      state.last = value
      return Array(state.watches.values)
    }
    for watch in watches { watch(value) }
  }

  /// Ends all watches, and refuses later ones.
  func stop() {
    let ends = state.withLock { state in
      state.isStopped = true
      defer { (state.ends, state.watches) = ([:], [:]) }
      return Array(state.ends.values)
    }
    for end in ends { end.resume() }
  }

  func start() { state.withLock { $0.isStopped = false } }

  var send: WebControl.Send {
    { (request, line) async throws(ControlError) in
      if self.state.withLock({ $0.isStopped }) {
        throw ControlError(.noDaemon, "no daemon listens at /nowhere")
      }
      switch request {
      case .watch: await self.watch(line)
      case .status(let job, _):
        let (lines, failure, during) = self.state.withLock { state in
          state.statusCount += 1
          let lines = state.lines.filter { job == nil || $0.key == job?.text }.map(\.value)
          return (lines, state.statusFailure, state.duringStatus)
        }
        during()
        if let failure { return failure }
        for value in lines { line(value) }
        if let job, lines.isEmpty { return .unknownJob(job, among: []) }
      default: break
      }
      return .done
    }
  }

  private func watch(_ line: @escaping @Sendable (Value) -> Void) async {
    let (number, last) = state.withLock { state in
      state.watchCount += 1
      state.watches[state.watchCount] = line
      return (state.watchCount, state.last)
    }
    // A daemon begins a watch with the latest numbers.
    if let last { line(last) }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.isStopped || Task.isCancelled { return true }
          state.ends[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let end = self.state.withLock { state in
        state.watches[number] = nil
        return state.ends.removeValue(forKey: number)
      }
      end?.resume()
    }
    state.withLock { $0.watches[number] = nil }
  }
}

/// The writing end of a stream without a socket, which a test reads.
final class HeldStream: WebStreamWriter {
  private struct State {
    var received = ReceivedEvents()
    var isClosed = false
    /// The number of bytes after which the client is gone, or nil if the client stays.
    var bytesLeft: Int?
  }

  private let state: Mutex<State>

  init(bytesMax: Int? = nil) { state = Mutex(State(bytesLeft: bytesMax)) }

  var received: ReceivedEvents { state.withLock { $0.received } }
  /// Whether the client is gone.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func send(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      var part = bytes[...]
      if let left = state.bytesLeft {
        part = part.prefix(left)
        state.bytesLeft = left - part.count
        if part.count < bytes.count { state.isClosed = true }
      }
      state.received.add(String(decoding: part, as: UTF8.self))
      return !state.isClosed
    }
  }

  func drain() async -> Bool { state.withLock { !$0.isClosed } }

  /// Waits until what was received satisfies the condition.
  func wait(_ isWanted: (ReceivedEvents) -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while !isWanted(received) {
      guard .now < end else { throw Late(received: received) }
      await Task.yield()
    }
  }

  struct Late: Error { var received: ReceivedEvents }
}
