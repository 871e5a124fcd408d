package import FetchSchedule
package import FetchValues

/// A time at which a job is expected to run.
package struct PlanLine: Hashable, Sendable {
  package var job: String
  package var at: Timestamp
  /// Whether the time is the job's present due time. Otherwise it is an estimate.
  package var isExact: Bool

  package init(job: String, _ run: ExpectedRun) {
    self.job = job
    at = run.at
    isExact = run.isExact
  }

  package var value: Value {
    [
      "job": .string(job), "at": .string(at.descriptionInSeconds), "exact": .bool(isExact),
    ]
  }

  /// Reads a planned time from JSON; returns nil if `value` is not a valid planned time.
  package init?(_ value: Value) {
    guard let job = value["job"]?.stringValue, let at = value["at"]?.timeValue,
      let isExact = value["exact"]?.boolValue
    else { return nil }
    self.job = job
    self.at = at
    self.isExact = isExact
  }

  /// The maximum number of planned times in an answer.
  package static let linesMax = 500
  /// The maximum number of jobs in a request.
  package static let jobsMax = 100
  package static let hoursMax = 168
  package static let hoursUsual = 6
}
