package import FetchSchedule
package import FetchValues

/// A run that starts now.
package struct ScheduledRun: Sendable {
  package var start: RunStart
  package var job: Job
}

/// A run that has ended but is not reported yet.
struct EndedRun: Sendable {
  /// The number of the run among all runs of its job: see `RunStart.number`.
  var number: Int64
  var report: RunReport
}

/// A notice about a job for the user.
package struct JobNotice: Equatable, Sendable {
  package var job: JobName
  package var notice: Notice
}

/// The reason why a run that a person requested was refused.
struct RunRefusal: Error, Sendable {
  /// The reason as a sentence without a full stop.
  var sentence: String
}
