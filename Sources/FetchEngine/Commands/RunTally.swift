import FetchModel
import Synchronization

/// The runs and transfers that ended while a command waited for them.
final class RunTally: Sendable {
  private struct State {
    var records: [RunRecord] = []
    var notified: [RunRecord] = []
    var failedTransferCount = 0
  }

  private let state = Mutex(State())

  /// The runs of jobs, in the order in which they ended.
  var records: [RunRecord] { state.withLock { $0.records } }

  /// The runs in which plugins were notified of their transfers.
  var notified: [RunRecord] { state.withLock { $0.notified } }

  var failedTransferCount: Int { state.withLock { $0.failedTransferCount } }

  var sink: EventSink { EventSink { self.note($0) } }

  private func note(_ event: Event) {
    state.withLock { state in
      switch event {
      case .runEnded(let report) where report.record.trigger == .transfer:
        state.notified.append(report.record)
      case .runEnded(let report): state.records.append(report.record)
      case .transferEnded(let record) where record.state == .failed:
        state.failedTransferCount += 1
      default: break
      }
    }
  }
}
