package import FetchValues

/// The state of a hostname's lane, for display.
package struct LaneState: Hashable, Sendable {
  package var hostname: String
  /// The maximum number of concurrent runs.
  package var connectionsMax: Int
  package var runningCount: Int
  /// The number of jobs that are due but wait for the lane or the budget.
  package var waitingCount: Int
  /// The minimum time between two requests.
  package var gap: Duration
  /// The time until which fetchrun sends no requests to the hostname; nil if it may send requests
  /// now.
  package var closedUntil: Timestamp?
  /// The reason why the hostname is closed, in words that follow "it is left alone because"; nil if
  /// it is not closed.
  package var why: String?

  package init(
    hostname: String, connectionsMax: Int, runningCount: Int, waitingCount: Int, gap: Duration,
    closedUntil: Timestamp? = nil, why: String? = nil
  ) {
    self.hostname = hostname
    self.connectionsMax = connectionsMax
    self.runningCount = runningCount
    self.waitingCount = waitingCount
    self.gap = gap
    self.closedUntil = closedUntil
    self.why = why
  }
}
