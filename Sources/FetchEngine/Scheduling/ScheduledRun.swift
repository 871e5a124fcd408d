package import FetchSchedule

/// A run that starts now.
package struct ScheduledRun: Sendable {
  package var start: RunStart
  package var job: Job
}

/// A run that has ended and is not reported yet.
struct EndedRun: Sendable {
  /// See `RunStart.number`.
  var number: Int64
  var report: RunReport
}

/// A notice about a job for the user.
package struct JobNotice: Equatable, Sendable {
  package var job: String
  package var notice: Notice
}

/// The reason why a requested run is refused.
struct RunRefusal: Error, Sendable {
  /// The reason, without a full stop.
  var sentence: String
}
