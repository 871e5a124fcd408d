import CHost
import Glibc
import Synchronization

/// Reports when the machine's clock was set, or the machine slept: sleeps until a time of day then
/// end too early or too late. It does not poll: the kernel cancels a timer for that
/// (`TFD_TIMER_CANCEL_ON_SET`, timerfd_create(2)).
package final class ClockWatcher: Sendable {
  private let running = Mutex<ThreadStop?>(nil)

  package init() {}

  /// Calls `onSet` each time, on a thread of its own. Call it once. Returns false if the system has
  /// no more descriptors; then `onSet` is never called.
  @discardableResult
  package func start(_ onSet: @escaping @Sendable () -> Void) -> Bool {
    let timer = clock_watch_descriptor()
    return timer >= 0 && start(timer: timer, onSet)
  }

  /// Takes ownership of `timer`, which does not block; readable data is the event.
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

  /// Stops watching. No call comes after it has returned.
  package func stop() async { await running.withLock { $0 }?.stop() }
}
