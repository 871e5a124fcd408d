/// A word of a command, as one types it to a shell.
package enum ShellWord {
  /// The text where every shell takes it as it stands, else in single quotes (POSIX.1-2017, Shell
  /// Command Language, 2.2.2).
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
    // By bytes: a quote with a combining mark is another character, but the same quote to a shell.
    let escaped = text.utf8.flatMap { $0 == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [$0] }
    return "'" + String(decoding: escaped, as: UTF8.self) + "'"
  }
}
