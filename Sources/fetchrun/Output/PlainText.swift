/// Text from outside made safe for a terminal: control characters, which could move the cursor or
/// rewrite what stands there, become visible, and lines become one.
enum PlainText {
  static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": safe.append(" ")
      case _ where isUnsafe(scalar): safe.append("\u{FFFD}")
      default: safe.append(scalar)
      }
    }
    return String(safe)
  }

  /// C0 and C1 controls, and the marks that turn the direction of what follows.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Cut to a number of characters, the last of them an ellipsis where something is missing.
  static func cut(_ text: String, to count: Int) -> String {
    text.count <= count ? text : text.prefix(max(0, count - 1)) + "…"
  }
}
