import Glibc
import Synchronization

/// A writer that sends messages to a descriptor from a bounded queue, on its own thread. The
/// callers of `put` therefore never wait for the reader.
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
    var flushing: [ExecutorThread] = []
  }

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
  ///   - onFault: called on the writer's thread with the error number when a message cannot be
  ///     written. The unwritten rest of the message is lost.
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
        work.wait()
        for message in takeAll() { write(message) }
      }
    }
  }

  /// Queues a message, or drops it. Never waits.
  package func put(_ message: [UInt8]) {
    let isFirst = state.withLock { state in
      let isFull = state.unwrittenBytes > 0 && message.count > bytesMax - state.unwrittenBytes
      if isFull || state.droppedCount > 0 {
        state.droppedCount += 1
        return false
      }
      state.unwrittenBytes += message.count
      state.messages.append(message)
      return state.messages.count == 1
    }
    if isFirst { work.wake() }
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
    return isEmpty || !thread.wait(timeMax)
  }

  private func takeAll() -> [[UInt8]] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  private func write(_ message: [UInt8]) {
    if let fault = writeAll(message) { onFault(fault) }
    let droppedCount = state.withLock { state in
      state.unwrittenBytes -= message.count
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

  /// Writes a message; returns the error number if it could not be written, otherwise nil.
  private func writeAll(_ message: [UInt8]) -> Int32? {
    message.withUnsafeBytes { bytes in
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
