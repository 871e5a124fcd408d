import Glibc

/// What one of the executor's threads sleeps on until there is work for it.
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

  func wake() { sem_post(semaphore) }
}
