package import FetchSchedule

/// What a person should be told of a job.
package struct JobNotice: Equatable, Sendable {
  package var job: String
  package var notice: Notice
}
