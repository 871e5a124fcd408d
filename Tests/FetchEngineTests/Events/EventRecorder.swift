import FetchModel
import Synchronization
import Testing

@testable import FetchEngine

/// A recorder of a service's events for a test.
final class EventRecorder: Sendable {
  private let events = Mutex<[Event]>([])
  /// A stream that yields a value when a run has ended, except for runs about transfers.
  let runEnds: AsyncStream<Void>
  private let runEnd: AsyncStream<Void>.Continuation

  init() { (runEnds, runEnd) = AsyncStream.makeStream() }

  var all: [Event] { events.withLock { $0 } }

  var reports: [RunReport] {
    all.compactMap { event in
      if case .runEnded(let report) = event { report } else { nil }
    }
  }

  var notices: [JobNotice] {
    all.compactMap { event in
      if case .jobNotice(let job, let notice) = event {
        JobNotice(job: job, notice: notice)
      } else {
        nil
      }
    }
  }

  var transfers: [TransferRecord] {
    all.compactMap { event in
      if case .transferEnded(let record) = event { record } else { nil }
    }
  }

  /// Returns a sink that records events and passes their log lines to `log`. The lines of ended
  /// runs, ended transfers and notices are not passed.
  /// - Parameter log: receives the lines.
  func sink(_ log: @escaping @Sendable (String) -> Void) -> EventSink {
    EventSink { event in
      self.events.withLock { $0.append(event) }
      switch event {
      case .runEnded(let report): if report.record.trigger != .transfer { self.runEnd.yield() }
      case .jobNotice, .transferEnded: break
      default: if let entry = event.entry { log(entry.line) }
      }
    }
  }
}

extension EventSink {
  /// Returns a sink that passes the log line of each event to `take`.
  static func lines(_ take: @escaping @Sendable (String) -> Void) -> EventSink {
    EventSink { event in if let entry = event.entry { take(entry.line) } }
  }

  /// A sink that fails the test at each log line.
  static let failing = lines { Issue.record("\($0)") }
}
