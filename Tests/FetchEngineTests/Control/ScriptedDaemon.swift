import FetchEngine
import FetchTestSupport
import FetchValues
import Synchronization

/// A handler with scripted answers, and a socket in its own folder.
final class ScriptedDaemon: ControlHandler {
  typealias Line = @Sendable (Value) async -> Void

  let path: String
  private let script: @Sendable (ControlRequest, Line) async -> ControlEnd
  private let seen = Mutex<[ControlRequest]>([])

  init(
    _ script: @escaping @Sendable (ControlRequest, Line) async -> ControlEnd = { _, _ in .done }
  ) throws {
    path = try TemporaryFolder.make("control") + "/socket"
    self.script = script
  }

  var requests: [ControlRequest] { seen.withLock { $0 } }

  func answer(_ request: ControlRequest, line: @escaping Line) async -> ControlEnd {
    seen.withLock { $0.append(request) }
    return await script(request, line)
  }

  /// Listens while the body runs.
  func serving(_ body: () async throws -> Void) async throws {
    let server = ControlServer(path: path, handler: self)
    try server.start()
    do { try await body() } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  /// Returns all lines and the end of one request.
  func ask(_ request: ControlRequest) async throws -> (lines: [Value], end: ControlEnd) {
    let lines = Lines()
    let end = try await ControlClient.send(request, at: [path]) { lines.append($0) }
    return (lines.all, end)
  }
}

final class Lines: Sendable {
  private let lines = Mutex<[Value]>([])
  func append(_ line: Value) { lines.withLock { $0.append(line) } }
  var all: [Value] { lines.withLock { $0 } }
}

/// A condition that one task sets and another task waits for.
final class Fact: Sendable {
  private struct State {
    var isTrue = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func happen() {
    let waiters = state.withLock { state in
      state.isTrue = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { waiter in
      let isTrue = state.withLock { state in
        if !state.isTrue { state.waiters.append(waiter) }
        return state.isTrue
      }
      if isTrue { waiter.resume() }
    }
  }
}
