import Glibc

/// The semaphore on which one of the host's own threads sleeps until it has work.
///
/// SAFETY: several threads may use a semaphore, and the executor's lock guards the flag.
final class ExecutorThread: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// Whether the thread must leave the executor.
  var isReleased = false

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Waits for a call of `wake`. Returns immediately if no `wait` has returned for an earlier call
  /// of `wake` yet.
  func wait() { while sem_wait(semaphore) != 0 {} }

  /// Waits for a call of `wake`, for at most `timeMax`. Returns whether the wait timed out.
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
