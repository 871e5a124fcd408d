import ServiceLifecycle

/// A service that a graceful shutdown drains: it begins nothing new and ends after the work under
/// way.
struct DrainedService: Service {
  let work: @Sendable () async -> Void
  let drain: @Sendable () -> Void

  /// - Parameters:
  ///   - drain: lets `work` return.
  ///   - work: returns when it is drained or its task is cancelled.
  init(drain: @escaping @Sendable () -> Void, work: @escaping @Sendable () async -> Void) {
    self.drain = drain
    self.work = work
  }

  func run() async {
    await withGracefulShutdownHandler {
      await work()
    } onGracefulShutdown: {
      drain()
    }
  }
}
