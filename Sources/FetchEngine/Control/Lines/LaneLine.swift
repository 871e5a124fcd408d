package import FetchSchedule
package import FetchValues

/// The state of a hostname's lane. Answers contain only lanes that are in use or closed.
package struct LaneLine: Hashable, Sendable {
  package var hostname: String
  /// The maximum number of concurrent runs in the lane.
  package var connections: Int
  package var running: Int
  package var waiting: Int
  package var gap: Duration
  package var closedUntil: Timestamp?
  package var why: String?

  package init(_ lane: LaneState) {
    hostname = lane.hostname
    connections = lane.connectionsMax
    running = lane.runningCount
    waiting = lane.waitingCount
    gap = lane.gap
    closedUntil = lane.closedUntil
    why = lane.why
  }

  package var value: Value {
    [
      "hostname": .string(hostname), "connections": .integer(Int64(connections)),
      "running": .integer(Int64(running)), "waiting": .integer(Int64(waiting)),
      "gapSeconds": .number(Double(gap.wholeMilliseconds) / 1000),
      "closedUntil": .text(closedUntil?.descriptionInSeconds), "why": .text(why),
    ]
  }

  /// Reads a lane from JSON; returns nil if `value` has no hostname.
  package init?(_ value: Value) {
    guard let hostname = value["hostname"]?.stringValue else { return nil }
    self.hostname = hostname
    connections = value["connections"]?.integerValue.flatMap { Int(exactly: $0) } ?? 1
    running = value["running"]?.integerValue.flatMap { Int(exactly: $0) } ?? 0
    waiting = value["waiting"]?.integerValue.flatMap { Int(exactly: $0) } ?? 0
    gap = .milliseconds(Int64(max(0, min((value["gapSeconds"]?.numberValue ?? 0) * 1000, 1e12))))
    closedUntil = value["closedUntil"]?.timeValue
    why = value["why"]?.stringValue
  }

  /// The maximum number of lane lines in an answer.
  package static let linesMax = 1_000
}
