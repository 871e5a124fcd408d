import FetchValues
import Glibc

/// The properties of the two output streams, and the writing of lines to them.
///
/// Results are written to standard output, and messages to standard error. Colour is used only on a
/// terminal, and never if `NO_COLOR` is set and not empty (https://no-color.org).
struct Terminal: Sendable {
  let outputIsTerminal: Bool
  let errorIsTerminal: Bool
  let usesColor: Bool
  /// The width of the terminal in columns; 80 if the width is unknown. Nil if the output is not a
  /// terminal.
  let width: Int?

  static let current = Terminal()

  private init() {
    outputIsTerminal = isatty(STDOUT_FILENO) == 1
    errorIsTerminal = isatty(STDERR_FILENO) == 1
    let noColor = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    usesColor = outputIsTerminal && !noColor
    var size = winsize()
    let known = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    width = outputIsTerminal ? (known ? Int(size.ws_col) : 80) : nil
  }

  enum Style: String {
    case green = "32"
    case yellow = "33"
    case red = "31"
    case dim = "2"
  }

  func styled(_ text: String, _ style: Style) -> String {
    usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Writes a line to standard output. After a failed write, all later output is dropped: see
  /// `StandardStreams.lostOutput`.
  func output(_ line: String) { Self.write(line + "\n", to: STDOUT_FILENO) }

  func output(json line: String) { output(ShownJSON.text(line)) }

  func message(_ line: String) { Self.write(line + "\n", to: STDERR_FILENO) }

  /// Replaces the progress line on standard error, if it is a terminal. An empty string removes the
  /// line.
  func progress(_ text: String) {
    guard errorIsTerminal else { return }
    Self.write("\r\u{1B}[K" + text, to: STDERR_FILENO)
  }

  static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { StandardStreams.write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
    bytes.withUnsafeBytes { StandardStreams.write($0, to: descriptor) }
  }
}
