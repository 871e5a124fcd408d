import Glibc
import Testing

@testable import FetchHost

/// Tests of tasks on the host's own threads.
@Suite struct HostExecutorTests {
  private actor Counter {
    var count = 0
    func add() -> pthread_t {
      count += 1
      return pthread_self()
    }
  }

  private static var thread: pthread_t { pthread_self() }

  @Test func `a task, its children and the actors they call run only on the executor's threads`()
    async
  {
    let executor = HostExecutor(threadsMax: 2)
    let task = Task(executorPreference: executor) { () -> Set<pthread_t> in
      let counter = Counter()
      return await withTaskGroup(of: [pthread_t].self) { group in
        for number in 0..<200 {
          group.addTask {
            let before = Self.thread
            let inside = await counter.add()
            try? await HostClock().sleep(for: .microseconds(number % 7))
            return [before, inside, Self.thread]
          }
        }
        return await group.reduce(into: [Self.thread]) { $0.formUnion($1) }
      }
    }
    let threads = await task.value
    #expect(threads.count <= 2)
    #expect(!threads.contains(Self.thread))
  }

  @Test func `the thread that calls run serves the executor until the body has ended`() {
    let executor = HostExecutor(threadsMax: 1)
    let threads = Noted<pthread_t>()
    for _ in 0..<3 {
      executor.run {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<10 { group.addTask { threads.note(Self.thread) } }
        }
      }
    }
    #expect(Set(threads.all) == [Self.thread])
  }

  @Test func `tasks run in the order of their start, however many there are`() {
    let executor = HostExecutor(threadsMax: 1)
    let order = Noted<Int>()
    executor.run {
      // Half of the tasks start while the others run.
      var tasks: [Task<Void, Never>] = []
      for number in 0..<20_000 {
        tasks.append(
          Task(executorPreference: executor) { order.note(number) })
        if number % 5_000 == 0 { await Task.yield() }
      }
      for task in tasks { await task.value }
    }
    #expect(order.all == Array(0..<20_000))
  }

  @Test func `after the end of run, the executor continues with its own threads`() async {
    let executor = HostExecutor(threadsMax: 1)
    executor.run {}
    let value = await Task(executorPreference: executor) { 7 }.value
    #expect(value == 7)
  }

  @Test func `a thread's wait ends by one earlier call of wake, or times out`() {
    let thread = ExecutorThread()
    #expect(thread.wait(.zero))
    thread.wake()
    thread.wake()
    thread.wait()
    #expect(!thread.wait(.seconds(60)))
    #expect(thread.wait(.milliseconds(1)))
  }
}
