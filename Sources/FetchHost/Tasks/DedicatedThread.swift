import CHost  // In a release build, the compiler finds `sigset_t` in CHost.
import Glibc

/// Threads for work that blocks in system calls. Such work must not block Swift's own threads.
package enum DedicatedThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a thread of its own, which ends when `body` returns.
  package static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context)
    precondition(status == 0, "no more threads can be started")
    pthread_detach(thread)
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
