/// The facts about schemes that are needed to resolve and compare URLs.
enum URLScheme {
  /// Whether URLs of the scheme always have a host and a path (the URL Standard's special schemes
  /// without `file`).
  static func needsHost(_ scheme: String) -> Bool { defaultPort(scheme) != nil }

  static func isSpecial(_ scheme: String) -> Bool { needsHost(scheme) || scheme == "file" }

  static func defaultPort(_ scheme: String) -> UInt16? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    case "ftp": 21
    default: nil
    }
  }
}
