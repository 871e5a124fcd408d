import FetchModel
import FetchValues
import Synchronization

/// The events of the runs that a client waits for: written by the loop, read by the client.
///
/// Holds at most one report for each awaited job, however slow the client is.
final class RunSubscription: Sendable {
  enum Event: Sendable {
    /// The report, without its news.
    case ended(RunReport)
    case notice(JobNotice)
  }

  /// The number of each awaited run by the name of its job, see `RunStart.number`.
  typealias Awaited = [ExactText: Int64]

  private struct State {
    var awaited: Awaited = [:]
    var events: [Event] = []
    /// Whether no more runs begin.
    var isOver = false
  }

  private let state = Mutex(State())
  /// Yields after the loop has had a turn; several unread turns count as one.
  let turns: AsyncStream<Void>
  private let turner: AsyncStream<Void>.Continuation

  init() { (turns, turner) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  // MARK: The client

  /// Awaits the run of that job whose number `ask` returns, if any. No run is reported before that
  /// number is known.
  func expect(_ job: String, _ ask: () -> Int64?) {
    state.withLock { state in
      if let number = ask() { state.awaited[ExactText(job)] = number }
    }
  }

  var awaitedCount: Int { state.withLock { $0.awaited.count } }
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Returns the events since the previous call.
  func takeEvents() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Passes the awaited runs without an event to the body. They may be many: a copy kept beyond the
  /// call would be made again with each new event.
  func look<Answer>(_ body: (Awaited) -> Answer) -> Answer { state.withLock { body($0.awaited) } }

  // MARK: The loop

  /// Records the events that concern awaited runs.
  func note(_ ended: [EndedRun], _ notices: [JobNotice]) {
    state.withLock { state in
      let concerned = notices.isEmpty ? [:] : state.awaited
      for run in ended {
        let job = ExactText(run.report.record.job)
        guard let number = state.awaited[job], run.number >= number else { continue }
        state.awaited[job] = nil
        state.events.append(.ended(run.report))
      }
      for notice in notices where concerned[ExactText(notice.job)] != nil {
        state.events.append(.notice(notice))
      }
    }
  }

  func turn() { turner.yield() }

  func end() {
    state.withLock { $0.isOver = true }
    turner.yield()
    turner.finish()
  }
}
