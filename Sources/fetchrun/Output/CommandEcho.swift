import FetchValues
import Glibc
import Synchronization

/// The output of the `--on-new` command. The output is shown while the command runs, on standard
/// output or, if the results are JSON, on standard error.
///
/// On a terminal, control characters in each line are made harmless, since the line may contain
/// untrusted text.
final class CommandEcho: Sendable {
  private let descriptor: Int32
  private let isTerminal: Bool
  /// The bytes of the last line, which is not complete yet.
  private let rest = Mutex<[UInt8]>([])

  /// The maximum number of bytes that are kept until a line ends. A longer line is shown in parts.
  private static let lineBytesMax = 64 << 10

  init(_ output: RunOutput) {
    descriptor = output.asJSON ? STDERR_FILENO : STDOUT_FILENO
    isTerminal =
      output.asJSON ? Terminal.current.errorIsTerminal : Terminal.current.outputIsTerminal
  }

  func take(_ bytes: ArraySlice<UInt8>) {
    guard isTerminal else { return Terminal.write(bytes, to: descriptor) }
    rest.withLock { rest in
      rest += bytes
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        show(rest[..<end])
        rest.removeSubrange(...end)
      }
      guard rest.count > Self.lineBytesMax else { return }
      show(rest[...])
      rest = []
    }
  }

  /// Shows the last line if it is incomplete. Call this function after the command has ended.
  func end() {
    rest.withLock { rest in
      if !rest.isEmpty { show(rest[...]) }
      rest = []
    }
  }

  private func show(_ line: ArraySlice<UInt8>) {
    let text = PlainText.line(String(decoding: line, as: UTF8.self))
    Terminal.write(text + "\n", to: descriptor)
  }
}
