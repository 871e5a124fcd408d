import FetchEngine
import FetchHost
import FetchModel
import FetchValues
import Synchronization

/// A request that starts a run and waits for the end of the run.
struct RunWait {
  let job: JobName
  let patience: Duration

  /// The event that ends the wait.
  private enum End: Sendable {
    case ended(RunRecord)
    case notRun(String)
    case failed(WebProblem)
    case late
  }

  func answer(
    _ request: WebRequest, _ context: WebContext
  ) async throws(WebProblem) -> WebResponse {
    try await context.runWaits.run("wait for runs") {
      () async throws(WebProblem) in
      switch await end(context) {
      case .ended(let record):
        return .object(json: record.json).adding("Preference-Applied", "wait")
      case .notRun(let why): return trigger("waits", why)
      case .late: return trigger("due", nil)
      case .failed(let problem): throw request.hidingNames(problem)
      }
    }
  }

  /// Returns the answer for a run that has not ended yet or does not start.
  private func trigger(_ answer: String, _ why: String?) -> WebResponse {
    .object(["job": .string(job.text), "answer": .string(answer), "why": .text(why)], status: 202)
  }

  private func end(_ context: WebContext) async -> End {
    let (job, patience, clock) = (job, patience, context.clock)
    return await withTaskGroup(of: End.self) { group in
      group.addTask { @concurrent in await Self.follow(job, context.control) }
      group.addTask { @concurrent in
        try? await clock.sleep(for: patience)
        return .late
      }
      let first = await group.next() ?? .late
      group.cancelAll()
      return first
    }
  }

  private static func follow(_ job: JobName, _ control: WebControl) async -> End {
    let found = Found()
    do throws(WebProblem) {
      let end = try await control.follow(
        .run(.named([job]), skipsInterval: true, waits: true)
      ) { found.take($0) }
      if let problem = end.webProblem { return .failed(problem) }
    } catch { return .failed(error) }
    return found.end ?? .notRun("the daemon did not report how the run ended")
  }

  private final class Found: Sendable {
    private let state = Mutex<End?>(nil)
    var end: End? { state.withLock { $0 } }

    func take(_ line: Value) {
      let end: End
      switch RunAnswer(line) {
      case .ended(let record): end = .ended(record)
      case .refused(_, let why), .notRun(_, let why): end = .notRun(why)
      default: return
      }
      state.withLock { $0 = end }
    }
  }
}

/// The preferences of a client (RFC 7240).
enum Preference {
  static let waitMax = 60

  /// Returns the time that a client wants to wait, at most `waitMax` seconds; nil if the field
  /// `Prefer` has no `wait=` with a positive whole number.
  static func wait(_ headers: WebHeaders) -> Duration? {
    for preference in headers.all("Prefer").joined(separator: ",").split(separator: ",") {
      let text = preference.prefix { $0 != ";" }.trimmingHTTPSpace.asciiLowercased
      guard text.hasPrefix("wait="), let seconds = Int(text.dropFirst(5)), seconds > 0 else {
        continue
      }
      return .seconds(min(seconds, waitMax))
    }
    return nil
  }
}
