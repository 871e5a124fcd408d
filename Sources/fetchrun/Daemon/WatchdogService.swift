import FetchEngine
import FetchHost
import ServiceLifecycle

/// A service that reports to the service manager that the daemon is alive. It reports twice in each
/// watchdog timeout.
struct WatchdogService: Service {
  let notifier: ServiceNotifier
  let timeout: Duration
  private let clock = HostClock()

  /// Creates the service; nil if the service manager expects no reports.
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
