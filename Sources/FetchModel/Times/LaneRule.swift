/// How politely one hostname is asked.
package struct LaneRule: Hashable, Sendable {
  /// Requests under way at once.
  package var connectionsMax = 1
  /// From the start of one request to the start of the next.
  package var gap: Duration = .seconds(1)

  package init() {}

  package static let connectionsMaxAllowed = 64
  package static let gapMax: Duration = .seconds(86_400)
}
