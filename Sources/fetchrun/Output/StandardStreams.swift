import ArgumentParser
import FetchHost
import Glibc
import Synchronization

/// The three standard descriptors, and the functions that write to standard output and standard
/// error.
///
/// A command waits for a slow reader, such as the next program of a pipe. After a signal, it waits
/// at most a second for a reader that reads nothing (`giveUpSoon`). A daemon queues its output
/// instead of waiting (`queue`).
enum StandardStreams {
  /// Opens each closed standard descriptor on `/dev/null`. Otherwise the next opened file, such as
  /// a store, would have that descriptor and receive the program's output. Reads and writes fail as
  /// on closed descriptors, because each descriptor is opened for the opposite direction.
  static func hold() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The system uses the lowest free descriptor, which is `descriptor`.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The reason why standard output accepts no more data; nil while it accepts data.
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

  // MARK: Commands

  private static let patience = ReaderPatience()

  /// Prepares writes so that a signal can end them. Call this function before a signal can arrive.
  static func prepareToGiveUp() { patience.prepare() }

  /// Limits the waiting of writes, because the program ends soon. A write stops if its reader reads
  /// nothing for a second.
  static func giveUpSoon() { patience.end() }

  // MARK: Daemons

  private static let writers = Mutex<[Int32: BoundedWriter]>([:])

  /// The maximum size of a stream's queue, in bytes. The queue has room for thousands of lines.
  private static let queuedBytesMax = 1 << 20
  /// The default maximum time of a flush, for each reader.
  private static let flushMax: Duration = .seconds(2)

  /// Makes writes to standard output and standard error return without waiting. If a reader is too
  /// slow, lines are dropped. When the reader has read enough again, `onGap` is called with the
  /// stream's descriptor and the number of dropped lines.
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

  /// Waits until all queued lines are written, at most `timeMax` for each reader.
  static func flush(_ timeMax: Duration = flushMax) {
    let writers = writers.withLock { $0 }
    // Standard output is flushed first, since a gap on standard output is logged on standard error.
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      writers[descriptor]?.flush(timeMax)
    }
  }
}

/// The error that standard output no longer accepts data.
struct LostOutput: Error {
  /// The system's error number.
  let number: Int32

  /// The message; nil if the reader closed the pipe, as `head` normally does.
  var message: String? {
    number == EPIPE
      ? nil : "cannot write to standard output: " + String(cString: strerror(number))
  }

  /// The exit status. If the reader closed the pipe, it is the status of a program that SIGPIPE has
  /// ended. Otherwise it is the status of a failed run.
  var exitCode: ExitCode { number == EPIPE ? ExitStatus.closedPipe : ExitStatus.runFailed }
}
