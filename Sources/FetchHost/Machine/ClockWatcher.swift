import CHost
import Glibc
import Synchronization

/// Tells when the machine's clock was set, or the machine slept: times by the clock come sooner or
/// later then than who sleeps until them believes. Without asking for it again and again: the kernel
/// ends a timer for that (`TFD_TIMER_CANCEL_ON_SET`, timerfd_create(2)).
package final class ClockWatcher: Sendable {
  private let running = Mutex<ThreadStop?>(nil)

  package init() {}

  /// Calls `onSet`, on a thread of its own, each time. To be called once; false where the system has
  /// no more descriptors, and `onSet` is never called.
  @discardableResult
  package func start(_ onSet: @escaping @Sendable () -> Void) -> Bool {
    let timer = clock_watch_descriptor()
    return timer >= 0 && start(timer: timer, onSet)
  }

  /// Takes over `timer`, which does not block; what can be read from it is the event.
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

  /// No call comes after it has returned.
  package func stop() async { await running.withLock { $0 }?.stop() }
}
