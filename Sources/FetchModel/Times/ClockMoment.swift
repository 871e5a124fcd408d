import FetchValues

/// The instants at which clocks show a certain time of a certain day.
enum ClockMoment: Equatable {
  case once(Timestamp)
  /// The clocks went back over it.
  case twice(Timestamp, Timestamp)
  /// The clocks went forward over it, at this instant.
  case skipped(until: Timestamp)
}
