import FetchEngine
import FetchHost

/// The reports to the service manager that the daemon is alive.
struct Watchdog: Sendable {
  let notifier: ServiceNotifier
  private let clock = HostClock()

  init(_ notifier: ServiceNotifier) { self.notifier = notifier }

  /// Reports twice in each watchdog timeout, until the task is cancelled. Returns immediately if
  /// the service manager expects no reports.
  func run() async {
    guard let timeout = notifier.watchdogTimeout else { return }
    while !Task.isCancelled {
      notifier.alive()
      try? await clock.sleep(for: timeout / 2)
    }
  }
}
