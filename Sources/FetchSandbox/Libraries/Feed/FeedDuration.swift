import FetchValues

/// The parser of durations and other short fields of podcasts and media.
enum FeedDuration {
  /// Reads a duration such as `1:02:03`, `62:03`, `3723` or `3723.5` and returns whole seconds; nil
  /// if the text is not a duration. Only the seconds may have a fraction, which is dropped.
  static func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last else { return nil }
    let pieces = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard pieces.dropFirst().allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }) else { return nil }
    var total: Int64 = 0
    for part in parts.dropLast() + pieces.prefix(1) {
      guard part.utf8.allSatisfy(\.isASCIIDigit), let number = Int64(part), number < 1_000_000_000
      else { return nil }
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
