import Glibc

/// The semaphore on which a thread of our own sleeps until it has work.
///
/// SAFETY: a semaphore is made for several threads; the executor's lock guards the flag.
final class ExecutorThread: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// Whether it must leave the executor.
  var isReleased = false

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Returns after a `wake`, also one that came before.
  func wait() { while sem_wait(semaphore) != 0 {} }

  /// Does the same, but waits no longer than that; returns whether there was no `wake`.
  func wait(_ timeMax: Duration) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    let (seconds, attoseconds) = timeMax.components
    let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    while sem_timedwait(semaphore, &end) != 0 {
      if errno != EINTR { return true }
    }
    return false
  }

  func wake() { sem_post(semaphore) }
}
