import Glibc
import Synchronization

/// A writer that sends messages to a descriptor from a bounded queue, on its own thread. The
/// callers of `put` therefore never wait for the reader.
///
/// The first message is written immediately. Messages that follow within `gatheringTime` are
/// written together, because waking the thread and writing cost more than most messages. A write
/// has whole messages and at most `PIPE_BUF` bytes, so that other writers of the same pipe do not
/// come between. Only a longer message is divided.
///
/// A message that does not fit into the queue is dropped. All later messages are also dropped,
/// until at most half of `bytesMax` is left to write. A slow reader therefore misses consecutive
/// messages, and `onGap` receives their number.
package final class BoundedWriter: Sendable {
  private struct State {
    var messages: [[UInt8]] = []
    /// The number of bytes of all messages that are not written yet, including messages that the
    /// thread is writing.
    var unwrittenBytes = 0
    var droppedCount = 0
    /// Whether the thread sleeps until the next message.
    var isResting = false
    var flushing: [ExecutorThread] = []
  }

  /// The time after a write in which the thread waits for further messages. A caller of `flush` or
  /// a half full queue ends it early.
  private static let gatheringTime: Duration = .milliseconds(10)
  /// The maximum size of a write of several messages, in bytes. Linux writes so much to a pipe
  /// without other writers' bytes between (`PIPE_BUF` of pipe(7)).
  private static let writtenBytesMax = 4096

  private let descriptor: Int32
  private let bytesMax: Int
  private let onGap: @Sendable (Int) -> Void
  private let onFault: @Sendable (Int32) -> Void
  private let state = Mutex(State())
  private let work = ExecutorThread()

  /// - Parameters:
  ///   - bytesMax: the maximum total size, in bytes, of the messages that are not written yet. A
  ///     single longer message is accepted if all other messages are written.
  ///   - onGap: called on the writer's thread with the number of dropped messages, as soon as at
  ///     most half of `bytesMax` is left to write.
  ///   - onFault: called on the writer's thread with the error number when a write fails. The
  ///     unwritten rest of its messages is lost.
  package init(
    to descriptor: Int32, bytesMax: Int, onGap: @escaping @Sendable (Int) -> Void,
    onFault: @escaping @Sendable (Int32) -> Void = { _ in }
  ) {
    self.descriptor = descriptor
    self.bytesMax = bytesMax
    self.onGap = onGap
    self.onFault = onFault
    DedicatedThread.start("writer") { [self] in
      // If the reader has closed its end, writing fails with EPIPE instead of ending this process.
      DedicatedThread.blockBrokenPipeSignal()
      while true {
        let messages = takeAll()
        if messages.isEmpty {
          work.wait()
        } else {
          write(messages)
          _ = work.wait(Self.gatheringTime)
        }
      }
    }
  }

  /// Queues a message, or drops it. Never waits.
  package func put(_ message: [UInt8]) {
    let wakes = state.withLock { state in
      let isFull = state.unwrittenBytes > 0 && message.count > bytesMax - state.unwrittenBytes
      if isFull || state.droppedCount > 0 {
        state.droppedCount += 1
        return false
      }
      let half = bytesMax / 2
      let wasLow = state.unwrittenBytes <= half
      state.unwrittenBytes += message.count
      state.messages.append(message)
      defer { state.isResting = false }
      return state.isResting || wasLow && state.unwrittenBytes > half
    }
    if wakes { work.wake() }
  }

  /// Waits until no message is left to write, for at most `timeMax`. Also waits for messages that
  /// are queued during the wait. Returns false if the time was too short. Blocks the calling
  /// thread.
  @discardableResult
  package func flush(_ timeMax: Duration) -> Bool {
    let thread = ExecutorThread()
    let isEmpty = state.withLock { state in
      if state.unwrittenBytes > 0 { state.flushing.append(thread) }
      return state.unwrittenBytes == 0
    }
    if isEmpty { return true }
    work.wake()
    return !thread.wait(timeMax)
  }

  private func takeAll() -> [[UInt8]] {
    state.withLock { state in
      state.isResting = state.messages.isEmpty
      defer { state.messages = [] }
      return state.messages
    }
  }

  private func write(_ messages: [[UInt8]]) {
    var gathered: [UInt8] = []
    for message in messages {
      if !gathered.isEmpty, message.count > Self.writtenBytesMax - gathered.count {
        write(gathered)
        gathered.removeAll(keepingCapacity: true)
      }
      gathered += message
    }
    write(gathered)
  }

  private func write(_ bytes: [UInt8]) {
    if let fault = writeAll(bytes) { onFault(fault) }
    let droppedCount = state.withLock { state in
      state.unwrittenBytes -= bytes.count
      guard state.unwrittenBytes <= bytesMax / 2 else { return 0 }
      defer { state.droppedCount = 0 }
      return state.droppedCount
    }
    // Calls `onGap` before the callers of `flush` wake, because `onGap` may queue a notice.
    if droppedCount > 0 { onGap(droppedCount) }
    let flushing = state.withLock { state -> [ExecutorThread] in
      guard state.unwrittenBytes == 0 else { return [] }
      defer { state.flushing = [] }
      return state.flushing
    }
    for thread in flushing { thread.wake() }
  }

  /// Writes bytes; returns the error number if they could not be written, otherwise nil.
  private func writeAll(_ bytes: [UInt8]) -> Int32? {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
          continue
        }
        switch count < 0 ? errno : EIO {
        case EINTR: continue
        case EAGAIN: awaitRoom()
        case let number: return number
        }
      }
      return nil
    }
  }

  private func awaitRoom() {
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&room, 1, -1)
  }
}
