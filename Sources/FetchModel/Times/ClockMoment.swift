import FetchValues

/// When clocks show a certain time of a certain day.
enum ClockMoment: Equatable {
  case once(Timestamp)
  /// Clocks went back over it.
  case twice(Timestamp, Timestamp)
  /// Clocks were put forward over it; the instant at which they were.
  case skipped(until: Timestamp)
}
