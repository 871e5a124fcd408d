/// The quoting of a word in a shell command.
package enum ShellWord {
  /// Returns the text in single quotes (POSIX.1-2017, Shell Command Language, 2.2.2). Returns it
  /// unchanged if it is not empty and has only characters that are safe without quotes.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+@%:,".utf8.contains(byte)
      }
    }
    if isPlain, !text.isEmpty { return text }
    // The comparison is by bytes. A quote with a combining mark is another character in Swift, but
    // the shell reads it as a quote.
    let escaped = text.utf8.flatMap { $0 == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [$0] }
    return "'" + String(decoding: escaped, as: UTF8.self) + "'"
  }
}
