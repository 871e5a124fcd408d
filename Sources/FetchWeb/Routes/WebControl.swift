package import FetchEngine
import FetchHost
package import FetchValues
import Synchronization

/// The client that sends requests to the daemon, over the control socket, as the command line does.
package final class WebControl: Sendable {
  /// A function that sends a request to the daemon and calls `line` for each line of the answer.
  package typealias Send =
    @Sendable (
      _ request: ControlRequest, _ line: @escaping @Sendable (Value) -> Void
    ) async throws(ControlError) -> ControlEnd

  private let send: Send
  private let gate = CallGate(runningMax: callsMax, waitingMax: waitingMax)

  /// The maximum number of concurrent calls. The daemon accepts only 32 connections from all its
  /// clients.
  private static let callsMax = 4
  private static let waitingMax = 64
  /// The limit on health checks. They have a limit of their own, so that they do not wait for slow
  /// requests.
  private let checks = CallGate(runningMax: 2, waitingMax: 16)
  /// The default time limit for the daemon's answer. The daemon normally answers in milliseconds.
  private static let timeout: Duration = .seconds(30)
  /// The maximum number of lines of one answer. Further lines are dropped.
  private static let linesMax = 20_000

  package init(_ send: @escaping Send) { self.send = send }

  package convenience init(sockets: [String]) {
    self.init { (request, line) async throws(ControlError) in
      try await ControlClient.send(request, at: sockets, line: line)
    }
  }

  /// Sends a request and returns the lines of its answer. Throws a problem if the daemon refuses
  /// the request or does not answer, or if too many calls wait.
  package func lines(
    _ request: ControlRequest, timeout: Duration = timeout
  ) async throws(WebProblem) -> [Value] {
    let (lines, end) = try await answer(request, timeout: timeout)
    if let problem = end.webProblem { throw problem }
    return lines
  }

  /// Sends a request and returns the answer, at most its first `linesMax` lines. If the daemon
  /// refuses the request, returns the refusal in `end` and does not throw an error.
  package func answer(
    _ request: ControlRequest, timeout: Duration = timeout
  ) async throws(WebProblem) -> (lines: [Value], end: ControlEnd) {
    try await gate.run("the daemon") { () async throws(WebProblem) in
      try await answer(request, timeout)
    }
  }

  /// Sends a request for a health check, as `lines` does, without a wait for other requests than
  /// health checks.
  package func checkLines(
    _ request: ControlRequest, timeout: Duration
  ) async throws(WebProblem) -> [Value] {
    let (lines, end) = try await checks.run("the daemon") { () async throws(WebProblem) in
      try await answer(request, timeout)
    }
    if let problem = end.webProblem { throw problem }
    return lines
  }

  /// Sends a request and returns the first line of its answer. Throws `noAnswer` if the answer has
  /// no line.
  package func line(_ request: ControlRequest) async throws(WebProblem) -> Value {
    guard let line = try await lines(request).first else {
      throw WebProblem(.noAnswer, 503, "the daemon's answer is empty")
    }
    return line
  }

  /// Sends a request and calls `line` for each line until the answer ends or the task is cancelled.
  /// The call has no time limit and does not count towards `callsMax`. The caller must therefore
  /// limit the number of such calls.
  package func follow(
    _ request: ControlRequest, line: @escaping @Sendable (Value) -> Void
  ) async throws(WebProblem) -> ControlEnd {
    do throws(ControlError) { return try await send(request, line) } catch {
      throw error.webProblem
    }
  }

  private func answer(
    _ request: ControlRequest, _ timeout: Duration
  ) async throws(WebProblem) -> (lines: [Value], end: ControlEnd) {
    let lines = Lines()
    let send = send
    let outcome = await withTaskGroup(of: Result<ControlEnd, WebProblem>?.self) { group in
      group.addTask { @concurrent in await Self.outcome(request, send, lines) }
      group.addTask { @concurrent in
        try? await HostClock().sleep(for: timeout)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    guard let outcome else {
      throw WebProblem(
        .noAnswer, 503, "the daemon gave no complete answer within \(timeout.components.seconds) s")
    }
    let end = try outcome.get()
    return (lines.all, end)
  }
}

extension WebControl {
  /// The lines of an answer that have arrived so far.
  private final class Lines: Sendable {
    private let state = Mutex<[Value]>([])
    var all: [Value] { state.withLock { $0 } }

    func add(_ line: Value) {
      state.withLock { if $0.count < WebControl.linesMax { $0.append(line) } }
    }
  }

  private static func outcome(
    _ request: ControlRequest, _ send: Send, _ lines: Lines
  ) async -> Result<ControlEnd, WebProblem> {
    do throws(ControlError) { return .success(try await send(request) { lines.add($0) }) } catch {
      return .failure(error.webProblem)
    }
  }
}

extension WebControl {
  /// Returns the first `count` status lines that the filter selects and the caller may see, sorted
  /// by the jobs' names. The filter has no limit of its own. A caller who may see all jobs gets at
  /// most `StatusFilter.limitMax` lines.
  func states(
    _ filter: StatusFilter, count: Int, for caller: Caller
  ) async throws(WebProblem) -> [Value] {
    var filter = filter
    // The daemon sorts only lines with a limit or another selection.
    filter.limit =
      caller.seesAllJobs ? min(count, StatusFilter.limitMax) : StatusFilter.limitMax
    var found: [Value] = []
    while true {
      let lines = try await lines(.status(job: nil, filter))
      found += lines.filter { caller.sees($0["job"]?.stringValue ?? "") }
      let isLast = caller.seesAllJobs || lines.count < StatusFilter.limitMax
      // This name may be hidden from the caller. Only the daemon receives it.
      guard !isLast, found.count < count, let last = lines.last?["job"]?.stringValue,
        last != filter.after
      else { return Array(found.prefix(count)) }
      filter.after = last
    }
  }
}

extension ControlError {
  var webProblem: WebProblem {
    switch code {
    case .noDaemon:
      WebProblem(.noDaemon, 503, "\(message); start one: `fetchrun serve`")
    case .badRequest: WebProblem(.refused, 400, message)
    default: WebProblem(.noAnswer, 503, message)
    }
  }
}

extension ControlEnd {
  /// The problem that the daemon reports; nil if the request succeeded.
  package var webProblem: WebProblem? {
    guard status != 0 else { return nil }
    let message = message ?? "the daemon refused the request"
    switch code {
    case .unknownJob:
      let near = message.firstRange(of: "did you mean '").map { range in
        String(message[range.upperBound...].prefix { $0 != "'" })
      }
      return WebProblem(.unknownJob, 404, message, hint: near)
    case .tooManyClients: return WebProblem(.busy, 503, message)
    case .changed: return WebProblem(.changed, 409, message)
    case nil: return WebProblem(.refused, 409, message)
    }
  }
}
