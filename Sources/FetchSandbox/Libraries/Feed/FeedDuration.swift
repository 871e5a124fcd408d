/// The parser of durations and other short fields of podcasts and media.
enum FeedDuration {
  /// Reads a duration such as `1:02:03`, `62:03`, `3723` or `3723.5` and returns whole seconds; nil
  /// if the text is not a duration. In each part, the text after a `.` is ignored.
  static func seconds(_ text: String) -> Int64? {
    var total: Int64 = 0
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    for part in parts {
      let whole = part.prefix { $0 != "." }
      guard let number = Int64(whole), (0..<1_000_000_000).contains(number) else { return nil }
      total = total * 60 + number
    }
    return total
  }

  static func isExplicit(_ text: String?) -> Bool? {
    switch text?.lowercased() {
    case "yes", "true", "explicit": true
    case "no", "false", "clean": false
    default: nil
    }
  }

  /// Returns the general kind of a media type, such as `audio` for `audio/mpeg`; nil unless the
  /// type begins with `image/`, `audio/` or `video/`.
  static func medium(_ type: String) -> String? {
    for kind in ["image", "audio", "video"] where type.hasPrefix(kind + "/") { return kind }
    return nil
  }
}
