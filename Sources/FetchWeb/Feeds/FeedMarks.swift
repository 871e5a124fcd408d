package import FetchValues
import Synchronization

/// The marks of feeds. A mark is a part of the log that contains no change of a feed. A search for
/// changes skips this part.
///
/// The marks only save work. Without a mark, the log is searched from the sequence number in the
/// client's entity tag.
package final class FeedMarks: Sendable {
  private struct Mark: Sendable {
    /// The feed has no change after `sequence`, up to and including `end`.
    var sequence: Int64
    var end: Int64
  }

  private let state = Mutex<[JobName: Mark]>([:])
  private static let marksMax = 4_096

  package init() {}

  /// Returns the sequence number after which a search for changes of the feed must begin. This is
  /// `sequence`, or a later number up to which the feed is known to have no change.
  package func start(of job: JobName?, since sequence: Int64) -> Int64 {
    state.withLock { marks in
      guard let mark = marks[Self.key(job)], sequence >= mark.sequence, sequence <= mark.end
      else { return sequence }
      return mark.end
    }
  }

  /// Records that a feed has no change after `sequence`, up to and including `end`.
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

  /// Returns the key of a job's feed. The key for nil, the feed of all jobs, is the empty name,
  /// which no job has.
  private static func key(_ job: JobName?) -> JobName { job ?? .unnamed }
}
