import Synchronization

/// The values that live until the process ends, so that a command takes no time to free them.
enum UntilExit {
  private static let kept = Mutex<[any Sendable]>([])

  static func keep(_ value: any Sendable) { kept.withLock { $0.append(value) } }
}
