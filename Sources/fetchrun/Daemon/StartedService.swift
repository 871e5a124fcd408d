import ServiceLifecycle

/// A service that was started before, and is only stopped here.
struct StartedService: Service {
  let stop: @Sendable () async -> Void

  func run() async {
    // An error means that the group was cancelled, which is also a reason to stop.
    try? await gracefulShutdown()
    await stop()
  }
}
