import Dispatch
import Glibc

/// Signals as events in place of what they do by themselves.
enum SignalSource {
  /// Returns when the signal is listened for, which is some time after the source is resumed: until
  /// then it is lost. The source has to be kept, and cancelled.
  static func listen(
    for number: Int32, _ action: @escaping @Sendable () -> Void
  ) async -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: action)
    await withCheckedContinuation { continuation in
      // Before the source: Dispatch sets up its own way afterwards.
      signal(number, SIG_IGN)
      source.setRegistrationHandler { continuation.resume() }
      source.resume()
    }
    return source
  }
}
