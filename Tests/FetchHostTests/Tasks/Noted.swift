import Synchronization

/// What several tasks note, in the order in which they do.
final class Noted<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func note(_ value: Value) { values.withLock { $0.append(value) } }

  var all: [Value] { values.withLock { $0 } }
}
