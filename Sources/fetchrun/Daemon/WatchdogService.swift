import FetchEngine
import FetchHost
import ServiceLifecycle

/// A service that reports to the service manager that the daemon is alive, twice per watchdog
/// timeout.
struct WatchdogService: Service {
  let notifier: ServiceNotifier
  let timeout: Duration
  private let clock = HostClock()

  /// Returns nil if the service manager expects no reports.
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
