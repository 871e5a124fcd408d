import Glibc

/// A thread for blocking waits.
final class WaitingThread: Sendable {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
        return nil
      }, Unmanaged.passRetained(Work(body)).toOpaque())
    precondition(status == 0, "no thread can be created")
    self.thread = thread
  }

  /// Waits until the thread ends. Call this function only once.
  func join() { pthread_join(thread, nil) }
}
