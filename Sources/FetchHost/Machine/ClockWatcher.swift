import CHost
import Glibc
import Synchronization

/// A watcher that reports when the machine's clock was set or the machine slept. Without such a
/// report, a wait until a time of day would end too early or too late. The watcher does not poll,
/// because the kernel cancels a timer at each such change (`TFD_TIMER_CANCEL_ON_SET`,
/// timerfd_create(2)).
package final class ClockWatcher: Sendable {
  private let running = Mutex<ThreadStop?>(nil)

  package init() {}

  /// Starts a thread that calls `onSet` each time the clock has been set or the machine has slept.
  /// Call `start` only once. If the system refuses a descriptor, returns false and never calls
  /// `onSet`.
  @discardableResult
  package func start(_ onSet: @escaping @Sendable () -> Void) -> Bool {
    let timer = clock_watch_descriptor()
    return timer >= 0 && start(timer: timer, onSet)
  }

  /// Starts to call `onSet` each time that `timer` is readable. Takes ownership of `timer`, which
  /// must be non-blocking.
  package func start(timer: Int32, _ onSet: @escaping @Sendable () -> Void) -> Bool {
    guard let wake = WakeSignal() else {
      close(timer)
      return false
    }
    let stop = ThreadStop(wake)
    stop.begin()
    running.withLock { $0 = stop }
    DedicatedThread.start("clock") {
      var wait = EventWait(timer, stop)
      while wait.next({ clock_watch_again($0) }) { onSet() }
      close(timer)
      stop.finish()
    }
    return true
  }

  /// Stops watching. `onSet` is not called after this function has returned.
  package func stop() async { await running.withLock { $0 }?.stop() }
}
