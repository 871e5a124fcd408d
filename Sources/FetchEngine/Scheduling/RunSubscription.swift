import FetchModel
import FetchValues
import Synchronization

/// What becomes of runs that somebody waits for: noted by the loop, taken by who waits.
///
/// Holds at most one report for each job that is awaited, however slow who waits may be.
final class RunSubscription: Sendable {
  enum Event: Sendable {
    /// Without its news.
    case ended(RunReport)
    case notice(JobNotice)
  }

  /// By the names of their jobs, the number of each run, see `RunStart.number`.
  typealias Awaited = [ExactText: Int64]

  private struct State {
    var awaited: Awaited = [:]
    var events: [Event] = []
    /// No run begins any more.
    var isOver = false
  }

  private let state = Mutex(State())
  /// Comes when the loop has had a turn; those of a while are one.
  let turns: AsyncStream<Void>
  private let turner: AsyncStream<Void>.Continuation

  init() { (turns, turner) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  // MARK: Who waits

  /// Awaits the run of that job whose number `ask` returns, if it does. No run is told of before
  /// that is known.
  func expect(_ job: String, _ ask: () -> Int64?) {
    state.withLock { state in
      if let number = ask() { state.awaited[ExactText(job)] = number }
    }
  }

  var awaitedCount: Int { state.withLock { $0.awaited.count } }
  var isOver: Bool { state.withLock { $0.isOver } }

  /// What was noted since the last time.
  func takeEvents() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Shows the runs of which nothing was noted yet. They are many: a copy kept beyond the call would
  /// be made again whenever something is noted.
  func look<Answer>(_ body: (Awaited) -> Answer) -> Answer { state.withLock { body($0.awaited) } }

  // MARK: The loop

  /// Takes what concerns awaited runs.
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
