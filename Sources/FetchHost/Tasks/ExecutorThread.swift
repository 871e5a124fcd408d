import Glibc

/// What a thread of our own sleeps on until there is work for it.
///
/// SAFETY: a semaphore is made for several threads; the flag is guarded by the executor's lock.
final class ExecutorThread: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// Whether it is to leave the executor.
  var isReleased = false

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Returns after a `wake`, which may have come before.
  func wait() { while sem_wait(semaphore) != 0 {} }

  /// The same, but no longer than that; whether there was no `wake`.
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
