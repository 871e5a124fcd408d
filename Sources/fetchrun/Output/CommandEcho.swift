import Glibc
import Synchronization

/// What the command of `--on-new` writes, shown as it comes: beside the results, or among the
/// messages where the results are for programs.
///
/// A terminal gets it made safe, line by line: it may be what strangers wrote.
final class CommandEcho: Sendable {
  private let descriptor: Int32
  private let isTerminal: Bool
  /// The beginning of a line that is still to end.
  private let rest = Mutex<[UInt8]>([])

  /// A longer line is shown in parts.
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

  /// Nothing more comes.
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
