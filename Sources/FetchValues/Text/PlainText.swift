/// The conversion of untrusted text to text that is safe for a terminal. Control characters could
/// move the cursor or overwrite text. Embedding, override and isolate controls such as U+202E could
/// reverse text. All of these become U+FFFD, but LF, CR and tabs become spaces.
package enum PlainText {
  package static func line(_ text: String) -> String {
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

  /// Whether the character is a control character (C0, DEL or C1), or a bidirectional embedding,
  /// override or isolate control.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Returns a text of at most `count` characters unchanged. Cuts a longer text to `count`
  /// characters, of which the last is an ellipsis. `count` must be at least 1.
  package static func cut(_ text: String, to count: Int) -> String {
    text.count <= count ? text : text.prefix(max(0, count - 1)) + "…"
  }
}
