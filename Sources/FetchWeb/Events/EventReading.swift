package import FetchValues

/// The functions with which the hub reads the store and the daemon.
package struct EventReading: Sendable {
  /// Returns the events after a cursor.
  package var page: @Sendable (EventCursor) async throws(WebProblem) -> EventPage
  /// Returns the cursor at the end of both logs.
  package var end: @Sendable () async throws(WebProblem) -> EventCursor
  /// Returns a number that changes when the store changes.
  package var version: @Sendable () async throws(WebProblem) -> Int64
  /// Calls `changed` for each notification of the daemon. Returns when the notifications end, or if
  /// there is no daemon.
  package var watch: @Sendable (_ changed: @escaping @Sendable (EventMarks) -> Void) async -> Void
  /// Returns the status lines of the named jobs, or of all jobs if `jobs` is nil. Leaves out named
  /// jobs that the daemon does not have. Returns nil without a daemon.
  package var states: @Sendable (_ jobs: [JobName]?) async throws(WebProblem) -> [Value]?

  package init(
    page: @escaping @Sendable (EventCursor) async throws(WebProblem) -> EventPage,
    end: @escaping @Sendable () async throws(WebProblem) -> EventCursor,
    version: @escaping @Sendable () async throws(WebProblem) -> Int64,
    watch: @escaping @Sendable (@escaping @Sendable (EventMarks) -> Void) async -> Void,
    states: @escaping @Sendable ([JobName]?) async throws(WebProblem) -> [Value]?
  ) {
    self.page = page
    self.end = end
    self.version = version
    self.watch = watch
    self.states = states
  }
}

/// The contents of a notification from the daemon: the end of both logs, and a number that changes
/// with the states of jobs.
package struct EventMarks: Hashable, Sendable {
  package var end: EventCursor
  package var states: Int64

  package init(end: EventCursor, states: Int64) {
    self.end = end
    self.states = states
  }
}
