/// A waiting job's place in the queue; the lowest goes first.
///
/// The order is start-time fair queueing (Goyal, Vin, Cheng 1996). The cost of a job's runs,
/// divided by its priority, moves its next turn back. A job that spent little does not save up for
/// a burst. Among equals, the least recently served goes first.
struct Turn: Comparable, Sendable {
  var tag: Double
  /// Milliseconds; the minimum for a job that never started.
  var lastStart: Int64

  static func < (left: Turn, right: Turn) -> Bool {
    left.tag < right.tag || left.tag == right.tag && left.lastStart < right.lastStart
  }
}
