import ServiceLifecycle

/// A service that ends by itself after a graceful shutdown has called its function `drain`.
struct DrainedService: Service {
  let work: @Sendable () async -> Void
  let drain: @Sendable () -> Void

  /// - Parameters:
  ///   - drain: called at a graceful shutdown; makes `work` return.
  ///   - work: does the work of the service; returns after `drain` was called or its task was
  ///     cancelled.
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

/// A service that is already running. The service group only stops it.
struct StartedService: Service {
  let stop: @Sendable () async -> Void

  func run() async {
    // An error means that the service group was cancelled. The service is also stopped then.
    try? await gracefulShutdown()
    await stop()
  }
}
