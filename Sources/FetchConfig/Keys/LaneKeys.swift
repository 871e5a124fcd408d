import FetchModel

/// The keys of one hostname under `lanes`.
enum LaneKeys {
  private typealias Key = ConfigKey<LaneRule>

  static let all = ConfigKeys<LaneRule>([
    Key(
      "connections", .count(1...LaneRule.connectionsMaxAllowed), "concurrent requests",
      default: "1"
    ) { $0.connectionsMax = $1 },
    Key(
      "gap", .pause(atMost: LaneRule.gapMax),
      "time from the start of one request to the start of the next",
      default: "1s"
    ) { $0.gap = $1 },
  ])
}
