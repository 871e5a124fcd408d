import FetchModel

/// The keys of one hostname under `lanes`.
enum LaneKey: String, ConfigKey {
  case connections
  case gap

  var entry: ConfigEntry {
    switch self {
    case .connections:
      ConfigEntry(
        .count(1...LaneRule.connectionsMaxAllowed), "requests under way at once", default: "1")
    case .gap:
      ConfigEntry(.pause, "from the start of one request to that of the next", default: "1s")
    }
  }
}
