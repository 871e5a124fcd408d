import Glibc
import Synchronization

/// The output of the `--on-new` command, shown immediately: beside the results, or among the
/// messages if the results are JSON.
///
/// On a terminal, each line is made safe, since it may contain text of strangers.
final class CommandEcho: Sendable {
  private let descriptor: Int32
  private let isTerminal: Bool
  /// The beginning of an incomplete line.
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

  /// Shows the incomplete line, if any, after the command's end.
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
