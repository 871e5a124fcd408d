import FetchStore
internal import Glibc

/// The right to write a store. Only one process at a time has this right.
///
/// The right is an advisory lock (flock) on a file beside the store. Symbolic links to the store
/// lead to the same lock. The file contains the holder's process id, for the messages of waiting
/// processes. The kernel releases the lock when the holder ends, even if the holder crashes.
///
/// SQLite's own locks are not enough. SQLite releases before 3.51.3 can corrupt a store if two
/// processes write or checkpoint it at the same time (the WAL-reset bug). The lock file is never
/// removed. Otherwise two processes could lock two different files with the same name.
final class StoreLock: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  func release() { _ = flock(descriptor, LOCK_UN) }

  /// Takes the lock, and waits if another process holds it. Throws `locked` if the other process
  /// still holds the lock after `waitMax`, or if the task is cancelled during the wait.
  ///
  /// - Parameters:
  ///   - waitMax: the maximum wait for another process to release the lock. After a failed first
  ///     attempt, the function waits at least `pollDelay` and tries again. The reason is that a
  ///     check by `isHeld` may make the first attempt fail.
  ///   - onWait: called at most once, after the second failed attempt, if the function continues to
  ///     wait. Receives the process id of the holder; nil if the id is unknown.
  static func take(
    for path: String, waitMax: Duration, clock: any Clock<Duration>,
    onWait: (Int32?) -> Void
  ) async throws(StoreError) -> StoreLock {
    let descriptor = try StoreFiles.openFile(
      StoreFiles.behindLinks(path) + ".lock", O_RDWR | O_CREAT)
    let lock = StoreLock(descriptor: descriptor)
    var waited = Duration.zero
    while !(try lock.tryOnce(path)) {
      let holder = lock.holder
      if waited == Self.pollDelay && waited < waitMax { onWait(holder) }
      guard waited < max(waitMax, Self.pollDelay),
        (try? await clock.sleep(for: Self.pollDelay)) != nil
      else {
        throw StoreError(
          .locked,
          "the store \(path) is being written by \(holder.map { "process \($0)" } ?? "another process")"
            + ": stop it or wait for it to end, or name another store with `--store FILE`")
      }
      waited += Self.pollDelay
    }
    lock.writeHolder()
    return lock
  }

  /// Whether a process has the right to write the store. The result is also true if this cannot be
  /// determined. During this check, an attempt of another process to take the lock can fail.
  static func isHeld(for path: String) -> Bool {
    let descriptor = open(StoreFiles.behindLinks(path) + ".lock", O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return errno != ENOENT }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  /// The delay between two attempts to take the lock. The delay is long enough to cost little, and
  /// too short for a user to notice.
  private static let pollDelay: Duration = .milliseconds(50)
  private static let holderBytesMax = 16

  private func tryOnce(_ path: String) throws(StoreError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    if errno == EWOULDBLOCK || errno == EINTR { return false }
    throw StoreError(
      .unreachable,
      "the store \(path) cannot be locked (\(String(cString: strerror(errno)))): "
        + "keep the store on a local disk")
  }

  /// The process id in the lock file; nil if there is none. Until the holder has written its own
  /// id, this may be the id of an earlier holder.
  private var holder: Int32? {
    var bytes = [UInt8](repeating: 0, count: Self.holderBytesMax)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let digits = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    return Int32(String(decoding: digits, as: UTF8.self))
  }

  /// Writes the process id into the lock file. If this fails, the lock still works, but `holder`
  /// may be missing or wrong.
  private func writeHolder() {
    let text = Array("\(getpid())\n".utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }
}
