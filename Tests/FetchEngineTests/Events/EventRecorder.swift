import FetchModel
import Synchronization
import Testing

@testable import FetchEngine

/// Records the events of a service for a test.
final class EventRecorder: Sendable {
  private let events = Mutex<[Event]>([])
  /// Yields when a run of a job has ended.
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

  /// - Parameter log: receives the lines of a log, except ends of transfers and notices.
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
  /// Passes on the log line of each event.
  static func lines(_ take: @escaping @Sendable (String) -> Void) -> EventSink {
    EventSink { event in if let entry = event.entry { take(entry.line) } }
  }

  /// Fails the test at each log line.
  static let failing = lines { Issue.record("\($0)") }
}
