import FetchModel
import FetchValues
import Synchronization

/// The events of the runs that a client waits for. The loop writes the events, and the client reads
/// them.
///
/// The subscription holds at most one report for each awaited run, even if the client is slow.
final class RunSubscription: Sendable {
  enum Event: Sendable {
    case ended(RunReport)
    case notice(JobNotice)
  }

  /// The number of each awaited run, by the name of the run's job: see `RunStart.number`.
  typealias Awaited = [JobName: Int64]

  private struct State {
    var awaited: Awaited = [:]
    var events: [Event] = []
    /// Whether no more runs will begin.
    var isOver = false
  }

  private let state = Mutex(State())
  /// A stream that yields after each turn of the loop. Several unread turns count as one turn.
  let turns: AsyncStream<Void>
  private let turner: AsyncStream<Void>.Continuation

  init() { (turns, turner) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  // MARK: The client

  /// Calls `ask`, and adds the run with the returned number to the awaited runs. Adds nothing if
  /// `ask` returns nil. No events are recorded while `ask` runs, so the end of the run cannot be
  /// missed.
  func expect(_ job: JobName, _ ask: () -> Int64?) {
    state.withLock { state in
      if let number = ask() { state.awaited[job] = number }
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

  /// Calls the body with the awaited runs that have not ended. The body must not keep them: the
  /// next event would copy all of them, and there may be many.
  func look<Answer>(_ body: (Awaited) -> Answer) -> Answer { state.withLock { body($0.awaited) } }

  // MARK: The loop

  /// Records the events of awaited runs, and ignores the other events.
  func note(_ ended: [EndedRun], _ notices: [JobNotice]) {
    state.withLock { state in
      let concerned = notices.isEmpty ? [:] : state.awaited
      for run in ended {
        let job = run.report.record.job
        guard let number = state.awaited[job], run.number >= number else { continue }
        state.awaited[job] = nil
        state.events.append(.ended(run.report))
      }
      for notice in notices where concerned[notice.job] != nil {
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
