import ArgumentParser
import Glibc

/// A prompt for a line on the terminal. The terminal does not show the typed text.
enum HiddenInput {
  private static let bytesMax = 64 << 10

  /// Returns the typed line; empty if standard input is not a terminal. Throws the exit status of
  /// an interruption after Ctrl-C, or if the terminal was closed. Restores the terminal's settings
  /// before the function returns or throws.
  static func line(_ prompt: String) throws -> [UInt8] {
    var old = termios()
    guard tcgetattr(STDIN_FILENO, &old) == 0 else { return [] }
    var hidden = old
    // Without ISIG, Ctrl-C arrives as a byte, so it cannot end the program while echo is off.
    hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &old)
      Terminal.write("\n", to: STDERR_FILENO)
    }
    // `TCSAFLUSH` discards earlier input. The prompt is written afterwards, so that a fast answer
    // is neither shown nor lost.
    Terminal.write(prompt, to: STDERR_FILENO)
    var bytes: [UInt8] = []
    while bytes.count < bytesMax {
      var byte: UInt8 = 0
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      // The terminal was closed, so the line may be incomplete.
      guard count == 1 else { throw ExitStatus.interrupted }
      switch byte {
      case 0x03: throw ExitStatus.interrupted
      case 0x04, 0x0A, 0x0D: return bytes
      case 0x08, 0x7F: removeCharacter(&bytes)
      case 0x15: bytes.removeAll()
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  /// Removes the last character with all bytes of its UTF-8 encoding.
  private static func removeCharacter(_ bytes: inout [UInt8]) {
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
  }
}
