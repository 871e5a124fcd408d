import FetchHost
import Glibc
import Testing

@Suite struct ProcessSignalsTests {
  /// The signal may already be blocked in the thread that calls `listen`, and in all threads that
  /// this thread starts.
  @Test func `signals are reported instead of their default actions`() async throws {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    sigaddset(&signals, SIGUSR2)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let (numbers, source) = AsyncStream<Int32>.makeStream()
    try ProcessSignals.listen(for: [SIGUSR1, SIGUSR2]) { source.yield($0) }
    var reported: [Int32] = []
    kill(getpid(), SIGUSR2)
    for await number in numbers {
      reported.append(number)
      if reported.count == 3 { break }
      kill(getpid(), SIGUSR1)
    }
    #expect(reported == [SIGUSR2, SIGUSR1, SIGUSR1])
  }
}
