/// The numbers that show a client what is new. While a client listens, they never decrease.
package struct EventNews: Hashable, Sendable {
  /// The number of times that the logs may have grown.
  package var log = 0
  /// The version of the status lines.
  package var states = 0
  /// The number of heartbeats.
  package var beats = 0

  package init() {}
}
