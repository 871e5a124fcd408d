import DequeModule
import Glibc
import Synchronization

/// Runs tasks on threads of our own, as many as there are processors, in the order of their
/// arrival.
///
/// It replaces Swift's own executor, which is Dispatch. After a process' first task, Dispatch wakes
/// every second for ever to count its threads (`_dispatch_workq_monitor_pools`), but an idle daemon
/// must sleep. It runs what `Task(executorPreference:)` starts, with all child tasks and the actors
/// they call. It does not run what a bare `Task` starts, nor sleeps on another clock than
/// `HostClock`.
package final class HostExecutor: TaskExecutor {
  package static let shared = HostExecutor(threadsMax: processorCount)
  /// Reads, compares and stores large results, which takes longer than other tasks should wait.
  package static let large = HostExecutor(threadsMax: 1)

  /// At least two, so that a waiting thread does not stop all work.
  static let processorCount = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  private struct State {
    var pending: Deque<UnownedJob> = []
    var idle: [ExecutorThread] = []
    var threadCount = 0
  }

  private enum Step {
    case work(UnownedJob)
    case wait
    case end
  }

  private let threadsMax: Int
  private let state = Mutex(State())

  init(threadsMax: Int) { self.threadsMax = threadsMax }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (thread, isMissing) = state.withLock { state -> (ExecutorThread?, Bool) in
      state.pending.append(job)
      // Takes the thread that became idle last: its cache is the freshest.
      if let thread = state.idle.popLast() { return (thread, false) }
      guard state.threadCount < threadsMax else { return (nil, false) }
      state.threadCount += 1
      return (nil, true)
    }
    thread?.wake()
    if isMissing { DedicatedThread.start("tasks") { self.work(ExecutorThread()) } }
  }

  /// Runs `body` in a task; the calling thread is one of the executor's until it has ended.
  package func run(_ body: @escaping @Sendable () async -> Void) {
    let thread = ExecutorThread()
    state.withLock { state in
      state.threadCount += 1
      // The new task is for this thread, so no other has to start.
      state.idle.append(thread)
    }
    Task(executorPreference: self) { [self] in
      await body()
      release(thread)
    }
    work(thread)
  }

  private func work(_ thread: ExecutorThread) {
    while true {
      switch step(thread) {
      case .work(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .wait: thread.wait()
      case .end: return
      }
    }
  }

  private func step(_ thread: ExecutorThread) -> Step {
    state.withLock { state in
      if thread.isReleased {
        state.threadCount -= 1
        return .end
      }
      if let job = state.pending.popFirst() { return .work(job) }
      state.idle.append(thread)
      return .wait
    }
  }

  private func release(_ thread: ExecutorThread) {
    state.withLock { state in
      thread.isReleased = true
      state.idle.removeAll { $0 === thread }
    }
    thread.wake()
  }
}
