import FetchEngine
import FetchHost
import ServiceLifecycle

/// Tells the service manager that the daemon is alive, twice as often as it wants to hear it.
struct WatchdogService: Service {
  let notifier: ServiceNotifier
  let timeout: Duration
  private let clock = HostClock()

  /// Nil where nobody wants to hear it.
  init?(_ notifier: ServiceNotifier) {
    guard let timeout = notifier.watchdogTimeout else { return nil }
    (self.notifier, self.timeout) = (notifier, timeout)
  }

  func run() async {
    await cancelWhenGracefulShutdown { [self] in
      while !Task.isCancelled {
        notifier.alive()
        try? await clock.sleep(for: timeout / 2)
      }
    }
  }
}
