import FetchEngine
import FetchModel
import Synchronization

/// The runs and transfers that ended while a command waits for them, for its progress line and its
/// exit status.
final class RunTally: Sendable {
  private struct State {
    var records: [RunRecord] = []
    var notified: [RunRecord] = []
    var failedTransferCount = 0
    var wantedCount: Int?
  }

  private let output: RunOutput
  private let state = Mutex(State())

  init(_ output: RunOutput) { self.output = output }

  /// The runs of jobs, in the order in which they ended.
  var records: [RunRecord] { state.withLock { $0.records } }

  /// The runs in which plugins were notified of their transfers.
  var notified: [RunRecord] { state.withLock { $0.notified } }

  var failedTransferCount: Int { state.withLock { $0.failedTransferCount } }

  /// Shows from now on how many of that many runs have ended.
  func showProgress(ofRuns count: Int) { state.withLock { $0.wantedCount = count } }

  /// Counts; to be asked after the subscriber that shows the events.
  var sink: EventSink { EventSink { self.note($0) } }

  private func note(_ event: Event) {
    switch event {
    case .runEnded(let report) where report.record.trigger == .transfer:
      state.withLock { $0.notified.append(report.record) }
    case .runEnded(let report):
      let (count, wantedCount) = state.withLock { state in
        state.records.append(report.record)
        return (state.records.count, state.wantedCount)
      }
      if let wantedCount { output.progress("\(count) of \(wantedCount)") }
    case .transferEnded(let record) where record.state == .failed:
      state.withLock { $0.failedTransferCount += 1 }
    default: break
    }
  }
}
