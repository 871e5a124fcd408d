import FetchModel

/// The keys of `transfers`.
enum TransfersKeys {
  private typealias Key = ConfigKey<TransferSettings>

  static let all = ConfigKeys<TransferSettings>([
    Key("at_once", .count(TransferSettings.atOnceAllowed), "concurrent downloads", default: "4") {
      $0.atOnceMax = $1
    },
    Key("order", .choice(TransferOrder.self), "which download begins first", default: "queued") {
      $0.order = $1
    },
    Key(
      "speed", .size(atLeast: TransferSettings.bytesPerSecondMin),
      "bytes per second, all downloads together"
    ) { $0.bytesPerSecondMax = $1 },
  ])
}
