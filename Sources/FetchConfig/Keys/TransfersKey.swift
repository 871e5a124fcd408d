import FetchModel

/// The keys of `transfers`.
enum TransfersKey: String, ConfigKey {
  case atOnce = "at_once"
  case order
  case speed

  var entry: ConfigEntry {
    switch self {
    case .atOnce:
      ConfigEntry(.count(TransferSettings.atOnceAllowed), "downloads under way", default: "4")
    case .order:
      ConfigEntry(
        .choice(TransferOrder.allCases.map(\.rawValue)), "which begins first", default: "queued")
    case .speed: ConfigEntry(.size, "bytes a second, all downloads together")
    }
  }
}
