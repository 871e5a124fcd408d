import ServiceLifecycle

/// What works by itself since it was started, until it is stopped.
struct StartedService: Service {
  let stop: @Sendable () async -> Void

  func run() async {
    // An error is that the group was cancelled: time to stop, too.
    try? await gracefulShutdown()
    await stop()
  }
}
