package import FetchValues

/// What became of a job that somebody paused or resumed; without a job it is about all.
package struct PauseLine: Hashable, Sendable {
  package var job: String?
  /// How it stands now.
  package var isPaused: Bool
  /// False when it stood so already.
  package var isChanged: Bool

  package init(job: String?, isPaused: Bool, isChanged: Bool) {
    self.job = job
    self.isPaused = isPaused
    self.isChanged = isChanged
  }

  package var value: Value {
    ["job": .text(job), "isPaused": .bool(isPaused), "isChanged": .bool(isChanged)]
  }

  /// Nil for what is no such line.
  package init?(_ value: Value) {
    guard let isPaused = value["isPaused"]?.boolValue, let isChanged = value["isChanged"]?.boolValue
    else { return nil }
    self.init(job: value["job"]?.stringValue, isPaused: isPaused, isChanged: isChanged)
  }
}
