import Synchronization

/// Notes of several tasks, in the order in which they were made.
final class Noted<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func note(_ value: Value) { values.withLock { $0.append(value) } }

  var all: [Value] { values.withLock { $0 } }
}
