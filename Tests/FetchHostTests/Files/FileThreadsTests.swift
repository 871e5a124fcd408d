import FetchHost
import Foundation
import Synchronization
import Testing

@Suite struct FileThreadsTests {
  /// Returns a value that differs for each thread, even for threads that have ended.
  private static func thread() -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
  }

  @Test func `consecutive tasks reuse a thread`() async {
    let threads = FileThreads()
    var used: Set<String?> = []
    let duration = await ContinuousClock().measure {
      for _ in 0..<200 { used.insert(await threads.run { _ in Self.thread() }) }
    }
    // A thread ends after a second without a task, and may be replaced.
    #expect(!used.contains(nil) && used.count <= 8 * (1 + Int(duration.components.seconds)))
  }

  @Test func `simultaneous tasks all run, on at most eight threads`() async {
    let threads = FileThreads()
    let used = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<500 { group.addTask { await threads.run { _ in Self.thread() } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(used.count == 500)
    #expect(Set(used).count <= 8)
  }

  @Test func `a cancelled task is notified and still completed`() async {
    let threads = FileThreads()
    let task = Task {
      await threads.run { isCancelled in
        while !isCancelled() { sched_yield() }
        return "done"
      }
    }
    task.cancel()
    #expect(await task.value == "done")
  }

  private final class Releases: Sendable {
    let count = Atomic(0)
  }

  private final class Held: Sendable {
    let released: @Sendable () -> Void

    init(released: @escaping @Sendable () -> Void) { self.released = released }

    deinit { released() }
  }

  @Test func `resources of a task are released before its caller continues`() async {
    let threads = FileThreads()
    for _ in 0..<2_000 {
      let releases = Releases()
      await Self.use(threads) { releases.count.add(1, ordering: .sequentiallyConsistent) }
      let count = releases.count.load(ordering: .sequentiallyConsistent)
      #expect(count == 1)
    }
  }

  private static func use(
    _ threads: FileThreads, released: @escaping @Sendable () -> Void
  ) async {
    await work(threads, Held(released: released))
  }

  private static func work(_ threads: FileThreads, _ held: Held) async {
    await threads.run { _ in withExtendedLifetime(held) {} }
  }
}
