import ServiceLifecycle

/// A service that is already running. The group only stops it.
struct StartedService: Service {
  let stop: @Sendable () async -> Void

  func run() async {
    // An error means that the group was cancelled. The service is then stopped, too.
    try? await gracefulShutdown()
    await stop()
  }
}
