import CHost  // In a release build, the compiler finds `sigset_t` in CHost.
import Glibc

/// Threads for work that blocks in system calls. Such work must not block Swift's own threads.
package enum DedicatedThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The reason why no thread was created, with the advice for the user.
  package static let refusal =
    "no more threads can be created; raise the limit with `ulimit -u`, or with TasksMax in a systemd"
    + " unit"

  /// Runs `body` on a thread of its own, which ends when `body` returns. Ends the process with a
  /// message if the system creates no thread. Call `start` only for threads that the process needs.
  package static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
    if !startIfPossible(name, body) { endProcess() }
  }

  /// Ends the process with a message, because it cannot work without another thread.
  static func endProcess() -> Never {
    let message = Array("fetchrun: \(refusal)\n".utf8)
    _ = write(STDERR_FILENO, message, message.count)
    _exit(1)
  }

  /// Runs `body` on a thread of its own, which ends when `body` returns. Returns false, and does
  /// not run `body`, if the system creates no thread.
  package static func startIfPossible(
    _ name: StaticString, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    var thread = pthread_t()
    let held = Unmanaged.passRetained(Body(body))
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, held.toOpaque())
    guard status == 0 else {
      held.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// Blocks SIGPIPE in the calling thread, so that writing to a closed pipe or socket fails with
  /// EPIPE instead of ending this process.
  package static func blockBrokenPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
