package import FetchSchedule

/// A run that is to start now.
package struct ScheduledRun: Sendable {
  package var start: RunStart
  package var job: Job
}

/// A run that has ended and of which nobody has been told.
struct EndedRun: Sendable {
  /// See `RunStart.number`.
  var number: Int64
  var report: RunReport
}

/// What a person should be told of a job.
package struct JobNotice: Equatable, Sendable {
  package var job: String
  package var notice: Notice
}

/// Why a job that somebody asked to run does not.
struct RunRefusal: Error, Sendable {
  /// Without its end.
  var sentence: String
}
