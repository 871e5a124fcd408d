/// A waiting job's place in the queue: lower goes first.
///
/// Start-time fair queueing (Goyal, Vin, Cheng 1996): what a job has spent, divided by its
/// priority, moves its next turn back; a job that spent little does not save up for a burst.
/// Between equals the least recently served goes first.
struct Turn: Comparable, Sendable {
  var tag: Double
  /// Milliseconds; least for one that never started.
  var lastStart: Int64

  static func < (left: Turn, right: Turn) -> Bool {
    left.tag < right.tag || left.tag == right.tag && left.lastStart < right.lastStart
  }
}
