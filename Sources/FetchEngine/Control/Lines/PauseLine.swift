package import FetchValues

/// The result of pausing or resuming one job, or all jobs if `job` is nil.
package struct PauseLine: Hashable, Sendable {
  package var job: String?
  /// Whether the request was to pause; false if it was to resume.
  package var isPaused: Bool
  /// Whether the request changed anything. False if, for example, the job was already paused.
  package var isChanged: Bool

  package init(job: String?, isPaused: Bool, isChanged: Bool) {
    self.job = job
    self.isPaused = isPaused
    self.isChanged = isChanged
  }

  package var value: Value {
    ["job": .text(job), "isPaused": .bool(isPaused), "isChanged": .bool(isChanged)]
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid line.
  package init?(_ value: Value) {
    guard let isPaused = value["isPaused"]?.boolValue, let isChanged = value["isChanged"]?.boolValue
    else { return nil }
    self.init(job: value["job"]?.stringValue, isPaused: isPaused, isChanged: isChanged)
  }
}
