import FetchHost
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct NetworkWatcherTests {
  private final class Presence: Sendable {
    private let isOnline = Mutex(true)
    var answer: Bool { isOnline.withLock { $0 } }
    func set(_ answer: Bool) { isOnline.withLock { $0 = answer } }
  }

  @Test func `the first state is reported, and then only changes`() async throws {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
    let kernel = pair[0]
    defer { close(kernel) }
    let presence = Presence()
    let (answers, source) = AsyncStream<Bool>.makeStream()
    let watcher = NetworkWatcher { presence.answer }
    watcher.start(events: pair[1]) { source.yield($0) }
    var iterator = answers.makeAsyncIterator()
    #expect(await iterator.next() == true)
    func happen() { _ = send(kernel, "!", 1, 0) }

    happen()
    presence.set(false)
    happen()
    #expect(await iterator.next() == false)
    happen()
    presence.set(true)
    happen()
    #expect(await iterator.next() == true)
    await watcher.stop()
    source.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func `the kernel's events are received until the stop`() async {
    let watcher = NetworkWatcher()
    let states = Mutex<[Bool]>([])
    watcher.start { isOnline in states.withLock { $0.append(isOnline) } }
    let first = states.withLock { $0.first }
    #expect(first == NetworkPresence.isOnline)
    await watcher.stop()
    await watcher.stop()
  }

  @Test func `stopping a watcher that never started returns`() async {
    await NetworkWatcher().stop()
  }
}
