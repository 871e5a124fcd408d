import Synchronization

/// The large answers that wait to be sent to the clients of all connections. Without a limit for
/// all connections together, many clients that read slowly could fill the memory.
final class AnswerBacklog: Sendable {
  private let bytesCount = Mutex(0)

  /// Adds an answer of the given size, in bytes. Returns false, and adds nothing, if the answer is
  /// large and too many bytes already wait. A small answer is not counted.
  func add(_ count: Int) -> Bool {
    if count <= WebLimits.smallAnswerBytesMax { return true }
    return bytesCount.withLock { waiting in
      guard waiting < WebLimits.waitingAnswersBytesMax else { return false }
      waiting += count
      return true
    }
  }

  /// Removes an answer that was added, after it was sent or its connection was closed.
  func remove(_ count: Int) {
    if count <= WebLimits.smallAnswerBytesMax { return }
    bytesCount.withLock { $0 -= count }
  }
}
