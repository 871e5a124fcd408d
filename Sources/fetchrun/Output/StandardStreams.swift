import FetchHost
import Glibc
import Synchronization

/// The three descriptors that a program is started with, and how it writes to two of them.
///
/// A command waits for a reader that is slow, as one behind a pipe is, and for nobody after a signal
/// (`giveUpSoon`). A daemon waits for nobody (`queue`).
enum StandardStreams {
  /// Takes the place of those that are closed, or the next file that is opened (a store) would be taken
  /// for one of them, and written to. They fail as closed ones do: each is open for what nobody does
  /// with it.
  static func hold() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest that is free, so it is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Why standard output takes nothing more; nil while it takes all.
  static var lostOutput: LostOutput? { lost.withLock { $0 } }

  private static let lost = Mutex<LostOutput?>(nil)

  private static func lose(_ descriptor: Int32, _ number: Int32) {
    if descriptor == STDOUT_FILENO { lost.withLock { $0 = $0 ?? LostOutput(number: number) } }
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
    if descriptor == STDOUT_FILENO, lostOutput != nil { return }
    if let writer = writers.withLock({ $0[descriptor] }) { return writer.put(Array(bytes)) }
    var rest = bytes
    while !rest.isEmpty {
      guard let count = patience.room(descriptor, for: rest.count) else { return }
      let written = Glibc.write(descriptor, rest.baseAddress, count)
      if written > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        continue
      }
      switch written < 0 ? errno : EIO {
      case EINTR: continue
      case EAGAIN: patience.awaitRoom(descriptor)
      case let number: return lose(descriptor, number)
      }
    }
  }

  // MARK: Of a command

  private static let patience = ReaderPatience()

  /// To be called before a signal may come: from here on writes can be interrupted.
  static func prepareToGiveUp() { patience.prepare() }

  /// The program is to end: a reader that reads nothing for a second gets nothing more.
  static func giveUpSoon() { patience.end() }

  // MARK: Of a daemon

  private static let writers = Mutex<[Int32: BoundedWriter]>([:])

  /// What waits for the reader of a stream: some thousand lines.
  private static let queuedBytesMax = 1 << 20
  /// A reader that reads takes what is queued in less.
  private static let flushMax: Duration = .seconds(2)

  /// From here on, writes to standard output and standard error wait for nobody. What a reader is too
  /// slow for is dropped, and `onGap` is called with the stream and the number of lines when that
  /// reader reads again.
  static func queue(onGap: @escaping @Sendable (_ descriptor: Int32, _ count: Int) -> Void) {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      let writer = BoundedWriter(to: descriptor, bytesMax: queuedBytesMax) {
        onGap(descriptor, $0)
      } onFault: {
        lose(descriptor, $0)
      }
      writers.withLock { $0[descriptor] = writer }
    }
  }

  /// Returns when all that is queued is written, or each of the readers was waited for that long.
  static func flush(_ timeMax: Duration = flushMax) {
    let writers = writers.withLock { $0 }
    // A gap of the first is logged on the second.
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      writers[descriptor]?.flush(timeMax)
    }
  }
}
