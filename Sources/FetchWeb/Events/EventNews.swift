/// The numbers by which a client sees what is new. Each only grows while somebody listens.
package struct EventNews: Hashable, Sendable {
  /// The number of times at which the logs may have grown.
  package var log = 0
  /// The version of the status lines.
  package var states = 0
  /// The number of heartbeats.
  package var beats = 0

  package init() {}
}
