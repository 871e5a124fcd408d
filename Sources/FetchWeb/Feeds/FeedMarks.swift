package import FetchValues
import Synchronization

/// The parts of the log in which a feed has no change, so that a client that asks again costs a look
/// at the rest of the log alone.
///
/// It only saves work: without a mark, the log is searched from the client's own tag on.
package final class FeedMarks: Sendable {
  private struct Mark: Sendable {
    /// The feed has no change after `sequence`, up to `end`.
    var sequence: Int64
    var end: Int64
  }

  private let state = Mutex<[JobName: Mark]>([:])
  private static let marksMax = 4_096

  package init() {}

  /// Returns the sequence after which the log must be searched for a change of the feed since the
  /// given one.
  package func start(of job: JobName?, since sequence: Int64) -> Int64 {
    state.withLock { marks in
      guard let mark = marks[Self.key(job)], sequence >= mark.sequence, sequence <= mark.end
      else { return sequence }
      return mark.end
    }
  }

  /// Notes that a feed has no change after a sequence, up to another one.
  package func note(_ job: JobName?, unchangedAfter sequence: Int64, upTo end: Int64) {
    state.withLock { marks in
      let key = Self.key(job)
      if let mark = marks[key], sequence >= mark.sequence, sequence <= mark.end {
        marks[key]?.end = max(mark.end, end)
        return
      }
      if marks[key] == nil, marks.count >= Self.marksMax { marks = [:] }
      marks[key] = Mark(sequence: sequence, end: end)
    }
  }

  /// A job's name is never empty.
  private static func key(_ job: JobName?) -> JobName { job ?? .unnamed }
}
